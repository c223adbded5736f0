// The plugin without a gateway: what it hands on, in which order, and that nothing a casebook does reaches OpenClaw as an error.
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ask, inOrder } from "../../adapters/openclaw/plugin/asking.js";
import plugin from "../../adapters/openclaw/plugin/index.js";

let number = 0;

// A casebook made of shell: `$event` is what it was told.
const casebook = (script, reads = true) => {
  const folder = mkdtempSync(join(tmpdir(), "casebook-plugin-"));
  const program = join(folder, "casebook");
  writeFileSync(program, `#!/bin/sh\n${reads ? `event=$(cat)\nprintf '%s\\n' "$event" >> ${folder}/events\n` : ""}${script}\n`);
  chmodSync(program, 0o755);
  const events = () => {
    try {
      return readFileSync(join(folder, "events"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
    } catch {
      return [];
    }
  };
  return { program, events };
};

// A gateway: what the plugin registers, and a session of its own for each test.
const gateway = (script, { config = {}, hooks = undefined, reads = true } = {}) => {
  const { program, events } = casebook(script, reads);
  const handlers = {};
  const options = {};
  let middleware;
  plugin.register({
    pluginConfig: { command: [program, "hook", "openclaw"], seconds: 5, ...config },
    config: { plugins: { entries: { casebook: { hooks } } } },
    runtime: { agent: { resolveAgentWorkspaceDir: (_config, agent) => `/workspaces/${agent}` } },
    on: (name, handler, opts) => ((handlers[name] = handler), (options[name] = opts)),
    registerAgentToolResultMiddleware: (handler) => (middleware = handler),
  });
  number += 1;
  const ctx = { sessionKey: `agent:main:s${number}`, sessionId: `id${number}`, runId: `run${number}`, agentId: "main" };
  const turn = { ...ctx, workspaceDir: "/w", trigger: "user" };
  const call = (id = "c1", params = { command: "ls" }) => ({ toolName: "exec", params, runId: ctx.runId, toolCallId: id });
  return { handlers, options, events, ctx, turn, call, carry: (event) => middleware(event, { ...ctx, runtime: "openclaw" }) };
};

const answering = (answers) =>
  `case "$event" in\n${Object.entries(answers)
    .map(([name, answer]) => `*'"event":"${name}"'*) printf '%s' '${JSON.stringify(answer)}' ;;`)
    .join("\n")}\nesac`;

test("a turn is asked about once, its first with what is standing, and only text goes into the prompt", async () => {
  const of = gateway(answering({ session_start: { prependContext: "standing" }, before_prompt_build: { prependContext: "用 pnpm", x: 1 } }));
  const said = await of.handlers.before_prompt_build({ prompt: "装依赖" }, of.turn);
  assert.deepEqual(said, { prependContext: "standing\n\n用 pnpm" });
  assert.equal(await of.handlers.before_agent_run({ prompt: "装依赖" }, { ...of.turn, trigger: "cron" }), undefined);
  assert.deepEqual(of.events().map((each) => each.event), ["session_start", "before_prompt_build"]);
  assert.equal(of.events()[1].ctx.workspaceDir, "/w");
  await of.handlers.before_prompt_build({ prompt: "next" }, { ...of.turn, runId: `${of.ctx.runId}-next` });
  assert.equal(of.events().filter((each) => each.event === "session_start").length, 1);
});

test("a run that nobody typed is ended, one that a person typed is not", async () => {
  const script = answering({ before_prompt_build: { outcome: "block", reason: "casebook", message: "no" } });
  for (const [trigger, expected] of [["cron", true], ["heartbeat", true], ["user", false]]) {
    const of = gateway(script);
    const said = await of.handlers.before_agent_run({ prompt: "purge" }, { ...of.turn, trigger });
    assert.deepEqual(said, expected ? { outcome: "block", reason: "casebook", message: "no" } : undefined);
  }
});

test("a call is told where its turn is, and by whom, though the hook is told neither", async () => {
  const of = gateway("");
  await of.handlers.before_prompt_build({ prompt: "x" }, { ...of.turn, senderId: "ann", trigger: "heartbeat" });
  assert.equal(await of.handlers.before_tool_call(of.call(), of.ctx), undefined);
  const { ctx } = of.events().at(-1);
  assert.deepEqual([ctx.workspaceDir, ctx.trigger, ctx.senderId], ["/w", "heartbeat", "ann"]);
  const alone = gateway("");
  await alone.handlers.before_tool_call(alone.call(), alone.ctx);
  assert.equal(alone.events()[0].ctx.workspaceDir, "/workspaces/main");
});

test("a blocked call is blocked, and is no outcome", async () => {
  const of = gateway(answering({ before_tool_call: { block: true, blockReason: "use --force-with-lease", more: 1 } }));
  assert.deepEqual(await of.handlers.before_tool_call(of.call(), of.ctx), { block: true, blockReason: "use --force-with-lease" });
  await of.handlers.after_tool_call({ ...of.call(), result: { content: [], details: { status: "blocked" } } }, of.ctx);
  assert.deepEqual(of.events().map((each) => each.event), ["before_tool_call"]);
});

test("what a person decides: a yes is silent, a no is told as one, and what was to be told comes with the next turn", async () => {
  const answer = { requireApproval: { title: "T", description: "D" }, refused: "Move it to trash/" };
  for (const [decision, told] of [["allow-once", undefined], ["deny", true], ["timeout", false], ["cancelled", false]]) {
    const of = gateway(answering({ before_tool_call: answer }));
    const { requireApproval } = await of.handlers.before_tool_call(of.call(), of.ctx);
    assert.deepEqual([requireApproval.title, requireApproval.description], ["T", "D"]);
    requireApproval.onResolution(decision);
    await of.handlers.after_tool_call({ ...of.call(), error: "not made" }, of.ctx);
    const next = await of.handlers.before_prompt_build({ prompt: "and?" }, { ...of.turn, runId: `${of.ctx.runId}-next` });
    const outcomes = of.events().filter((each) => each.event === "after_tool_call");
    assert.equal(outcomes.length, 1);
    assert.deepEqual([outcomes[0].denied, outcomes[0].unmade], told === undefined ? [undefined, undefined] : [told, true]);
    assert.equal(next?.prependContext, told === undefined ? undefined : "Move it to trash/");
  }
});

test("advice about a call comes with its result, and is no part of what the tool said", async () => {
  const of = gateway(answering({ before_tool_call: { advice: "use pnpm" } }));
  assert.equal(await of.handlers.before_tool_call(of.call("c1"), of.ctx), undefined);
  const result = { content: [{ type: "text", text: "failed" }], details: { exitCode: 1 } };
  const carried = of.carry({ ...of.call("c1"), result });
  assert.deepEqual(carried.result.content, [{ type: "text", text: "failed" }, { type: "text", text: "\nuse pnpm" }]);
  assert.equal(of.carry({ ...of.call("c1"), result }), undefined, "once");
  await of.handlers.after_tool_call({ ...of.call("c1"), result: carried.result }, of.ctx);
  assert.deepEqual(of.events().at(-1).result, result);
});

test("advice that no result has carried comes with the next turn", async () => {
  const of = gateway(answering({ before_tool_call: { advice: "use pnpm" } }));
  await of.handlers.before_tool_call(of.call(), of.ctx);
  const next = await of.handlers.before_prompt_build({ prompt: "and?" }, { ...of.turn, runId: `${of.ctx.runId}-next` });
  assert.equal(next.prependContext, "use pnpm");
});

test("what a call came to is known before the next turn is asked about", async () => {
  const of = gateway(`case "$event" in *after_tool_call*) sleep 0.5; printf '%s\\n' '{"event":"written"}' >> "$(dirname "$0")/events" ;; esac`);
  const outcome = of.handlers.after_tool_call({ ...of.call(), error: "x" }, of.ctx);
  await of.handlers.before_prompt_build({ prompt: "next" }, of.turn);
  await outcome;
  assert.deepEqual(of.events().map((each) => each.event), ["after_tool_call", "written", "session_start", "before_prompt_build"]);
});

test("a tool that only calls another is passed over", async () => {
  const of = gateway(answering({ before_tool_call: { block: true, blockReason: "x" } }));
  assert.equal(await of.handlers.before_tool_call({ ...of.call(), toolName: "tool_call" }, of.ctx), undefined);
  await of.handlers.after_tool_call({ ...of.call(), toolName: "tool_call", error: "x" }, of.ctx);
  assert.deepEqual(of.events(), []);
});

test("a long result is told by its end and its exit code", async () => {
  const of = gateway("");
  const result = { content: [], details: { exitCode: 2, aggregated: `${"x".repeat(100_000)} the end` } };
  await of.handlers.after_tool_call({ ...of.call(), result }, of.ctx);
  const told = of.events().at(-1).result.details;
  assert.equal(told.exitCode, 2);
  assert.ok(told.aggregated.endsWith("the end") && told.aggregated.length <= 20_000);
});

test("a session is over when its transcript is, and not when the gateway stops", async () => {
  for (const [reason, told] of [["reset", 1], ["idle", 1], ["shutdown", 0], ["restart", 0], ["compaction", 0]]) {
    const of = gateway("");
    await of.handlers.session_end({ sessionKey: of.ctx.sessionKey, reason }, {});
    assert.equal(of.events().length, told, reason);
  }
});

const FAILING = {
  "is not there": { config: { command: ["/nonexistent/casebook"] } },
  "prints no JSON": { script: "echo '{'" },
  "prints a list": { script: "echo '[1]'" },
  "ends with an error": { script: "exit 3" },
  "is killed": { script: "kill -9 $$" },
  "hangs": { script: "sleep 60", config: { seconds: 0.2 } },
  "floods": { script: "yes", config: { seconds: 3 } },
  "is no command": { config: { command: [""] } },
  "does not read": { script: "exit 0", reads: false },
};
for (const [what, { script = "", config = {}, reads = true }] of Object.entries(FAILING)) {
  test(`a casebook that ${what} holds nothing up and breaks nothing`, async () => {
    const of = gateway(script, { config, reads });
    const began = Date.now();
    assert.equal(await of.handlers.before_prompt_build({ prompt: "x".repeat(300_000) }, of.turn), undefined);
    assert.equal(await of.handlers.before_agent_run({ prompt: "x" }, { ...of.turn, trigger: "cron", runId: `${of.ctx.runId}-next` }), undefined);
    assert.equal(await of.handlers.before_tool_call(of.call(), of.ctx), undefined);
    await of.handlers.after_tool_call({ ...of.call(), error: "x" }, of.ctx);
    await of.handlers.agent_end({ success: true }, of.ctx);
    assert.ok(Date.now() - began < 20_000);
  });
}

test("events of a shape that no gateway has are no errors", async () => {
  const of = gateway("");
  const ring = {};
  ring.self = ring;
  for (const handler of Object.values(of.handlers)) {
    await handler(undefined, undefined);
    await handler({ params: ring, result: ring, toolName: "exec" }, {});
  }
  assert.equal(of.carry({ toolName: "exec", toolCallId: "x" }), undefined);
});

test("an answer is due before OpenClaw ends the hook itself, also where an operator has set its time", async () => {
  const ours = gateway("", { config: { seconds: 5 } });
  assert.ok(Object.values(ours.options).every((each) => each.timeoutMs >= 7000));
  const theirs = gateway("sleep 60", { hooks: { timeouts: { before_tool_call: 600 }, timeoutMs: 30_000 } });
  assert.ok(Object.values(theirs.options).every((each) => each === undefined), "the operator's stands");
  const began = Date.now();
  assert.equal(await theirs.handlers.before_tool_call(theirs.call(), theirs.ctx), undefined);
  assert.ok(Date.now() - began < 600);
});

test("events of one session keep their order, those of others do not wait, and one that hangs is not waited for", async () => {
  const ordered = inOrder();
  const seen = [];
  const slow = ordered("a", 5000, () => new Promise((done) => setTimeout(() => done(seen.push("slow")), 100)));
  const next = ordered("a", 5000, async () => seen.push("next"));
  const other = ordered("b", 5000, async () => seen.push("other"));
  await Promise.all([slow, next, other]);
  assert.deepEqual(seen, ["other", "slow", "next"]);
  void ordered("c", 5000, () => new Promise((done) => setTimeout(done, 2000)));
  const began = Date.now();
  assert.equal(await ordered("c", 100, async () => "late"), undefined);
  assert.ok(Date.now() - began < 1500);
});

test("an environment is the gateway's, with the folder that is named", async () => {
  const { program } = casebook(`printf '{"dir":"%s"}' "$CASEBOOK_DIR"`);
  assert.deepEqual(await ask([program], {}, { ms: 5000, dir: "/chosen" }), { dir: "/chosen" });
});

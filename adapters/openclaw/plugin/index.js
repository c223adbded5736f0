// Asks the casebook as a turn and a tool call begin, and tells it what became of them. Whatever goes wrong with it, OpenClaw goes on.
import { spawn } from "node:child_process";

const COMMAND = ["casebook", "hook", "openclaw"];
const SECONDS = 8;
const KEPT = 200;
const UNATTENDED = new Set(["cron", "heartbeat"]);
const RESULT_CHARS = 20_000;

// One event: JSON in, JSON out; nothing where the casebook is silent, gone, broken or too slow.
const asking = ({ command = COMMAND, seconds = SECONDS, dir } = {}) => (event, ctx = {}) =>
  new Promise((done) => {
    let out = "";
    let settled = false;
    const settle = (answer) => {
      if (settled) return;
      settled = true;
      clearTimeout(late);
      done(answer);
    };
    let child;
    const late = setTimeout(() => {
      child?.kill("SIGKILL");
      settle(undefined);
    }, seconds * 1000);
    try {
      const { runId, agentId, sessionKey, sessionId, workspaceDir, trigger, senderId, channel, channelId } = ctx;
      const named = { runId, agentId, sessionKey, sessionId, workspaceDir, trigger, senderId, channel, channelId };
      const env = dir ? { ...process.env, CASEBOOK_DIR: dir } : process.env;
      child = spawn(command[0], command.slice(1), { env, stdio: ["pipe", "pipe", "ignore"] });
      child.on("error", () => settle(undefined));
      child.on("close", () => {
        try {
          settle(out ? JSON.parse(out) : undefined);
        } catch {
          settle(undefined);
        }
      });
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (piece) => (out += piece));
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify({ ...event, ctx: named }));
    } catch {
      settle(undefined);
    }
  });

// The last few entries of a map: a gateway runs for months.
const kept = (map, key, value) => {
  map.set(key, value);
  while (map.size > KEPT) map.delete(map.keys().next().value);
  return value;
};

const shortened = (result) => {
  try {
    const text = JSON.stringify(result ?? null);
    if (text.length <= RESULT_CHARS) return result;
    return { details: { exitCode: result?.details?.exitCode, aggregated: String(result?.details?.aggregated ?? text).slice(-RESULT_CHARS) } };
  } catch {
    return undefined;
  }
};

export default {
  id: "casebook",
  name: "Casebook",
  register(api) {
    const ask = asking(api.pluginConfig ?? {});
    const turns = new Map(); // by run: what was said as the turn began; two hooks of one turn ask once
    const started = new Map(); // by session: whether it was told what is standing
    const begin = (event, ctx) => {
      const run = ctx.runId ?? `${ctx.sessionKey}:${event.prompt}`;
      return turns.get(run) ?? kept(turns, run, asked(event, ctx));
    };
    const asked = async (event, ctx) => {
      const session = ctx.sessionKey ?? ctx.sessionId ?? "";
      const isFirst = session !== "" && !started.has(session);
      if (isFirst) kept(started, session, true);
      const opening = isFirst ? await ask({ event: "session_start" }, ctx) : undefined;
      const message = { prompt: event.prompt, currentUserMessage: event.currentUserMessage };
      const said = (await ask({ event: "before_prompt_build", ...message }, ctx)) ?? {};
      const text = [opening?.prependContext, said.prependContext].filter(Boolean).join("\n\n");
      return text ? { ...said, prependContext: text } : said;
    };
    api.on("before_prompt_build", async (event, ctx) => {
      const { prependContext } = await begin(event, ctx);
      return prependContext ? { prependContext } : undefined;
    });
    api.on("before_agent_run", async (event, ctx) => {
      if (!UNATTENDED.has(ctx.trigger)) return undefined;
      const said = await begin(event, ctx);
      return said.outcome === "block" ? { outcome: "block", reason: said.reason, message: said.message } : undefined;
    });
    api.on("before_tool_call", async (event, ctx) => {
      const { toolName, params, toolCallId } = event;
      const said = await ask({ event: "before_tool_call", toolName, params, toolCallId }, { ...ctx, runId: event.runId ?? ctx.runId });
      return said?.block || said?.requireApproval ? said : undefined;
    });
    api.on("after_tool_call", async (event, ctx) => {
      const { toolName, params, toolCallId, error } = event;
      const told = { event: "after_tool_call", toolName, params, toolCallId, error, result: shortened(event.result) };
      await ask(told, { ...ctx, runId: event.runId ?? ctx.runId });
    });
    api.on("agent_end", async (event, ctx) => {
      turns.delete(ctx.runId);
      await ask({ event: "agent_end" }, ctx);
    });
    api.on("after_compaction", async (event, ctx) => {
      await ask({ event: "after_compaction" }, ctx);
    });
    api.on("session_end", async (event, ctx) => {
      const session = event.sessionKey ?? ctx.sessionKey ?? event.sessionId;
      started.delete(session);
      if (event.reason !== "compaction") await ask({ event: "session_end" }, { ...ctx, sessionKey: session });
    });
  },
};

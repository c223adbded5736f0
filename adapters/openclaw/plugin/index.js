// Asks the casebook as a turn and a tool call begin, and tells it what became of them. Whatever goes wrong with it, OpenClaw goes on.
import { ask, inOrder } from "./asking.js";

const COMMAND = ["casebook", "hook", "openclaw"];
const SECONDS = 8;
const SPARE_MS = 2_000; // OpenClaw's own limit of a hook lies so much behind ours: what it ends itself blocks a run or a call
const KEPT = 500;
const UNATTENDED = new Set(["cron", "heartbeat"]);
const GOES_ON = new Set(["compaction", "shutdown", "restart"]); // ends of a session after which its transcript goes on
const RESULT_CHARS = 20_000;
const WRAPPERS = new Set(["tool_call", "tool_search_code"]); // the tool that they call has its own events

// The last entries of a map: a gateway runs for months.
const keep = (map, key, value) => {
  map.delete(key);
  map.set(key, value);
  while (map.size > KEPT) map.delete(map.keys().next().value);
  return value;
};

// A result as the tool gave it.
const without = (text, result) =>
  text && Array.isArray(result?.content) ? { ...result, content: result.content.filter((part) => part?.text !== text) } : result;

// What is told of a result: of one that is long, its end and its exit code.
const shortened = (result) => {
  try {
    const text = JSON.stringify(result ?? null);
    if (text.length <= RESULT_CHARS) return result;
    const details = result?.details ?? {};
    const parts = Array.isArray(result?.content) ? result.content.map((part) => part?.text ?? "").join("\n") : text;
    const end = (value) => (typeof value === "string" ? value.slice(-RESULT_CHARS / 2) : undefined);
    const { status, exitCode, error } = details;
    const kept = { status, exitCode, error: end(error), aggregated: end(details.aggregated) ?? end(parts) };
    return { isError: result?.isError, details: kept };
  } catch {
    return undefined;
  }
};

// OpenClaw loads a plugin more than once, hooks and middleware apart: what they know of a session is one and the same.
const known = () => ({
  turns: new Map(), // by run: what was said as the turn began; the two hooks of a turn ask once
  runs: new Map(), // by run: what only a turn's hooks are told of it
  places: new Map(), // by session: the workspace, for hooks outside of a run
  opened: new Map(), // by session: whether it was told what is standing
  unmade: new Map(), // by call: that it was blocked, or that a person was asked and gave no yes
  carried: new Map(), // by call: what was added to its result
  untold: new Map(), // by call: the session, and what the lesson says, until the call's result, or a turn, carries it
  ordered: inOrder(),
});
const { turns, runs, places, opened, unmade, carried, untold, ordered } = (globalThis[Symbol.for("casebook.openclaw.1")] ??= known());

export default {
  id: "casebook",
  name: "Casebook",
  register(api) {
    const { command = COMMAND, seconds = SECONDS, dir } = api.pluginConfig ?? {};
    const limits = api.config?.plugins?.entries?.casebook?.hooks ?? {};

    // The time for a hook's answer: less than an operator leaves the hook, where one has set it.
    const budget = (hook) => {
      const set = limits.timeouts?.[hook] ?? limits.timeoutMs;
      return Math.min(seconds * 1000, typeof set === "number" ? Math.max(set - SPARE_MS, set / 2) : Infinity);
    };

    const workspace = (ctx, session) => {
      if (ctx.workspaceDir) return keep(places, session, ctx.workspaceDir);
      try {
        return places.get(session) ?? api.runtime?.agent?.resolveAgentWorkspaceDir?.(api.config, ctx.agentId ?? "main");
      } catch {
        return undefined;
      }
    };
    const named = (event, ctx) => {
      const { agentId, sessionId } = ctx;
      const sessionKey = ctx.sessionKey ?? event.sessionKey;
      const runId = event.runId ?? ctx.runId;
      const run = runs.get(runId) ?? {};
      const trigger = ctx.trigger ?? run.trigger;
      const senderId = ctx.senderId ?? ctx.requester?.senderId ?? run.senderId;
      const channel = ctx.channel ?? ctx.requester?.channel ?? run.channel;
      if (runId !== undefined && ctx.trigger) keep(runs, runId, { trigger, senderId, channel });
      const workspaceDir = workspace(ctx, sessionKey ?? sessionId ?? "");
      return { runId, agentId, sessionKey, sessionId, workspaceDir, trigger, senderId, channel };
    };
    // Whether a hook is given what went wrong is no concern of the gateway: it gets nothing then.
    const on = (hook, handler, ms = budget(hook)) => {
      const guarded = async (event, ctx) => {
        try {
          const of = named(event ?? {}, ctx ?? {});
          return await handler(event ?? {}, of, ms);
        } catch (error) {
          api.logger?.warn?.(`casebook: ${hook}: ${error}`);
          return undefined;
        }
      };
      const isSet = (limits.timeouts?.[hook] ?? limits.timeoutMs) !== undefined;
      api.on(hook, guarded, isSet ? undefined : { timeoutMs: Math.ceil(ms + SPARE_MS) });
    };
    const tell = (told, of, ms) =>
      ordered(of.sessionKey ?? of.sessionId ?? "", ms, (left) => ask(command, { ...told, ctx: of }, { ms: left(), dir }));

    // What no result has carried: that of another runtime's own tools cannot be added to.
    const leftOver = (session) => {
      const left = [...untold].filter(([, each]) => each.session === session);
      for (const [key] of left) untold.delete(key);
      return left.map(([, each]) => each.text);
    };
    const later = (of, key, text) => {
      if (text) keep(untold, key, { session: of.sessionKey ?? of.sessionId ?? "", text });
    };
    const asked = (event, of, ms) => {
      const session = of.sessionKey ?? of.sessionId ?? "";
      const isFirst = session !== "" && !opened.has(session);
      if (isFirst) keep(opened, session, true);
      return ordered(session, ms, async (left) => {
        const opening = isFirst ? await ask(command, { event: "session_start", ctx: of }, { ms: left() / 2, dir }) : undefined;
        const message = { prompt: event.prompt, currentUserMessage: event.currentUserMessage };
        const said = await ask(command, { event: "before_prompt_build", ...message, ctx: of }, { ms: left(), dir });
        const texts = [opening?.prependContext, said?.prependContext, ...leftOver(session)].filter(Boolean);
        return { ...said, prependContext: [...new Set(texts)].join("\n\n") };
      });
    };
    const begin = async (event, of, ms) => {
      const run = of.runId ?? `${of.sessionKey}:${event.prompt}`;
      return (await (turns.get(run) ?? keep(turns, run, asked(event, of, ms)))) ?? {};
    };

    on("before_prompt_build", async (event, of, ms) => {
      const { prependContext } = await begin(event, of, ms);
      return prependContext ? { prependContext } : undefined;
    });
    on("before_agent_run", async (event, of, ms) => {
      if (!UNATTENDED.has(of.trigger)) return undefined;
      const { outcome, reason, message } = await begin(event, of, ms);
      return outcome === "block" ? { outcome, reason, message } : undefined;
    });
    on("before_tool_call", async (event, of, ms) => {
      if (WRAPPERS.has(event.toolName)) return undefined;
      const call = { toolName: event.toolName, params: event.params, toolCallId: event.toolCallId };
      const key = `${of.runId}:${event.toolCallId}`;
      const said = await tell({ event: "before_tool_call", ...call }, of, ms);
      if (said?.block) {
        keep(unmade, key, true);
        return { block: true, blockReason: said.blockReason };
      }
      later(of, key, said?.advice);
      if (!said?.requireApproval) return undefined;
      const onResolution = (decision) => {
        if (String(decision).startsWith("allow")) return;
        later(of, key, said.refused);
        keep(unmade, key, true);
        void tell({ event: "after_tool_call", ...call, denied: decision === "deny", unmade: true }, of, ms);
      };
      return { requireApproval: { ...said.requireApproval, onResolution } };
    });
    on("after_tool_call", async (event, of, ms) => {
      const { toolName, params, toolCallId, error } = event;
      const key = `${of.runId}:${toolCallId}`;
      if (WRAPPERS.has(toolName) || unmade.delete(key)) return;
      const result = shortened(without(carried.get(key), event.result));
      carried.delete(key);
      await tell({ event: "after_tool_call", toolName, params, toolCallId, error, result }, of, ms);
    });
    // Advice about a call is told with its result: before it, OpenClaw has no place for it.
    api.registerAgentToolResultMiddleware?.(
      (event, ctx) => {
        const key = `${ctx?.runId}:${event.toolCallId}`;
        const text = untold.get(key)?.text;
        if (!text || !Array.isArray(event.result?.content)) return undefined;
        untold.delete(key);
        const added = { type: "text", text: keep(carried, key, `\n${text}`) };
        return { result: { ...event.result, content: [...event.result.content, added] } };
      },
      { runtimes: ["openclaw"] },
    );
    // By it the casebook command that an agent runs speaks of its own session.
    on("resolve_exec_env", async (_event, of) => (of.sessionKey ? { CASEBOOK_SESSION: of.sessionKey } : undefined));
    on("agent_end", async (event, of, ms) => {
      await tell({ event: "agent_end", success: event.success }, of, ms);
      turns.delete(of.runId);
    });
    on("after_compaction", async (event, of, ms) => {
      await tell({ event: "after_compaction" }, of, ms);
    });
    on("session_end", async (event, of, ms) => {
      if (GOES_ON.has(event.reason)) return;
      const session = of.sessionKey ?? of.sessionId ?? "";
      opened.delete(session);
      await tell({ event: "session_end" }, of, ms);
      places.delete(session);
    });
  },
};

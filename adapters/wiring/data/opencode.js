// It asks the casebook as a turn and a tool call begin, and tells it what became of them. Whatever goes wrong with it, OpenCode goes on.
import { spawn } from "node:child_process";

const COMMAND = ["casebook", "hook", "opencode"];
const TOOLS = null; // of which tools it tells; null: of all
const SECONDS = 10;

// One event: JSON in, JSON out; nothing where the casebook is silent, gone, broken or too slow.
const told = (event) =>
  new Promise((done) => {
    let out = "";
    try {
      const child = spawn(COMMAND[0], COMMAND.slice(1), { cwd: event.cwd, stdio: ["pipe", "pipe", "ignore"] });
      const late = setTimeout(() => {
        child.kill();
        done({});
      }, SECONDS * 1000);
      child.on("error", () => {
        clearTimeout(late);
        done({});
      });
      child.on("close", () => {
        clearTimeout(late);
        try {
          done(JSON.parse(out).hookSpecificOutput ?? {});
        } catch {
          done({});
        }
      });
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (piece) => (out += piece));
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(event));
    } catch {
      done({});
    }
  });

export const Casebook = async ({ directory }) => {
  const calls = new Map(); // by the call's id: what was asked about it; taken out once its outcome was told
  const turns = new Map(); // by the session's id: the id of its turn
  const event = (name, session, more) =>
    told({ hook_event_name: name, session_id: session ?? "", turn_id: turns.get(session) ?? "", cwd: directory, ...more });
  const named = (tool) => TOOLS === null || TOOLS.includes(tool);
  const outcome = async (id, name, more) => {
    const call = calls.get(id);
    if (!call || !calls.delete(id)) return undefined;
    return event(name, call.session, { tool_name: call.tool, tool_input: call.args, tool_use_id: id, ...more });
  };
  return {
    "chat.message": async (input, output) => {
      const text = output.parts.filter((each) => each.type === "text" && !each.synthetic).map((each) => each.text);
      const first = turns.has(input.sessionID) ? {} : await event("SessionStart", input.sessionID, { source: "startup" });
      turns.set(input.sessionID, output.message.id);
      const said = await event("UserPromptSubmit", input.sessionID, { prompt: text.join("\n") });
      const context = [first.additionalContext, said.additionalContext].filter(Boolean).join("\n\n");
      if (!context) return;
      output.parts.push({
        id: `prt_zzzz${crypto.randomUUID().replaceAll("-", "").slice(0, 18)}`,
        sessionID: input.sessionID,
        messageID: output.message.id,
        type: "text",
        text: context,
        synthetic: true,
      });
    },
    "tool.execute.before": async (input, output) => {
      if (!named(input.tool)) return;
      const said = await event("PreToolUse", input.sessionID, {
        tool_name: input.tool,
        tool_input: output.args,
        tool_use_id: input.callID,
      });
      if (said.permissionDecision && said.permissionDecision !== "allow") throw new Error(said.permissionDecisionReason);
      calls.set(input.callID, { session: input.sessionID, tool: input.tool, args: output.args });
    },
    "tool.execute.after": async (input, output) => {
      const made = { output: output.output ?? "", metadata: { exit: output.metadata?.exit } };
      const said = await outcome(input.callID, "PostToolUse", { tool_response: made });
      if (said?.additionalContext) output.output = `${output.output ?? ""}\n\n${said.additionalContext}`;
    },
    event: async ({ event: seen }) => {
      const part = seen.properties?.part;
      if (seen.type === "message.part.updated" && part?.type === "tool" && part.state?.status === "error") {
        await outcome(part.callID, "PostToolUseFailure", { error: part.state.error ?? "the tool failed" });
      } else if (seen.type === "session.compacted") {
        await event("PostCompact", seen.properties.sessionID, {});
      } else if (seen.type === "session.idle") {
        await event("Stop", seen.properties.sessionID, {});
      } else if (seen.type === "session.deleted") {
        await event("SessionEnd", seen.properties.info?.id, {});
        turns.delete(seen.properties.info?.id);
      }
    },
  };
};

// One event to the casebook: JSON in, JSON out; nothing where the casebook is silent, gone, broken or too slow.
import { spawn } from "node:child_process";

const MOST_CHARS = 1_000_000; // of an answer
const HAS_GROUPS = process.platform !== "win32";

export const ask = (command, told, { ms, dir } = {}) =>
  new Promise((done) => {
    if (!(ms > 0)) return done(undefined);
    let child;
    let out = "";
    let isOver = false;
    const settle = (answer) => {
      isOver = true;
      clearTimeout(late);
      done(answer);
    };
    const giveUp = () => {
      if (isOver) return;
      settle(undefined);
      out = "";
      end(child);
    };
    const late = setTimeout(giveUp, ms);
    try {
      const env = dir ? { ...process.env, CASEBOOK_DIR: dir } : process.env;
      const stdio = ["pipe", "pipe", "ignore"];
      child = spawn(command[0], command.slice(1), { env, stdio, detached: HAS_GROUPS, windowsHide: true });
      child.on("error", giveUp);
      child.on("close", () => isOver || settle(answered(out)));
      child.stdout.setEncoding("utf8");
      child.stdout.on("error", () => {});
      child.stdout.on("data", (piece) => {
        if (isOver) return;
        out += piece;
        if (out.length > MOST_CHARS) giveUp();
      });
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(told));
    } catch {
      giveUp();
    }
  });

// Ends a casebook with all that it has started, and hears nothing more of it.
const end = (child) => {
  if (!child) return;
  child.stdin?.destroy();
  child.stdout?.destroy();
  try {
    if (HAS_GROUPS && child.pid) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // it is gone already
  }
  child.unref();
};

const answered = (out) => {
  try {
    const answer = JSON.parse(out);
    return answer && typeof answer === "object" && !Array.isArray(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
};

// Events of one session one after the other: what a call came to is known before the next turn is asked about.
export const inOrder = (clock = Date.now) => {
  const last = new Map();
  return (session, ms, work) => {
    const until = clock() + ms;
    const left = () => until - clock();
    let timer;
    const tooLate = new Promise((done) => (timer = setTimeout(done, ms)));
    const before = last.get(session) ?? Promise.resolve();
    const now = Promise.race([before, tooLate])
      .then(() => (left() > 0 ? work(left) : undefined))
      .catch(() => undefined)
      .finally(() => {
        clearTimeout(timer);
        if (last.get(session) === now) last.delete(session);
      });
    last.set(session, now);
    return now;
  };
};

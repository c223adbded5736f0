// One event to the casebook: JSON in, JSON out; nothing where the casebook is silent, gone, broken or too slow.
import { spawn } from "node:child_process";

const MOST_CHARS = 1_000_000; // of an answer

export const ask = (command, told, { ms, dir } = {}) =>
  new Promise((done) => {
    if (!(ms > 0)) return done(undefined);
    let child;
    let out = "";
    const settle = (answer) => {
      clearTimeout(late);
      done(answer);
    };
    const give_up = () => {
      settle(undefined);
      try {
        child?.kill("SIGKILL");
      } catch {
        // it is gone already
      }
    };
    const late = setTimeout(give_up, ms);
    try {
      const env = dir ? { ...process.env, CASEBOOK_DIR: dir } : process.env;
      child = spawn(command[0], command.slice(1), { env, stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
      child.on("error", () => settle(undefined));
      child.on("close", () => settle(answered(out)));
      child.stdout.setEncoding("utf8");
      child.stdout.on("error", () => {});
      child.stdout.on("data", (piece) => {
        out += piece;
        if (out.length > MOST_CHARS) give_up();
      });
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(told));
    } catch {
      give_up();
    }
  });

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

import type { Server } from "node:http";

type Line = (() => void)[];

/** Milliseconds of one line in each turn of the loop. */
const SHARE = 5;

/** Milliseconds that newcomers may keep everybody else waiting. */
const PATIENCE = 200;

/**
 * In each turn of its loop Node takes in one connection, however many stand outside. Were all that came with
 * a crowd begun in one turn, the next to come in, be it somebody who asks /health, would wait for as many
 * such turns as others stand before it. So turns are kept short, and nothing begins before everybody is in.
 */
export function takeTurns(server: Server) {
  const [refusals, works, calls]: [Line, Line, Line] = [[], [], []];
  let [isTurning, hasNewcomer, since] = [false, false, 0];
  server.on("connection", () => void (hasNewcomer = true));
  const join = (line: Line, begin: () => void) => {
    line.push(begin);
    if (isTurning) return;
    [isTurning, since] = [true, performance.now()];
    setImmediate(turn);
  };
  async function turn() {
    if (!hasNewcomer || performance.now() - since > PATIENCE) {
      await take(refusals, SHARE);
      await take(works, 0);
      await take(calls, SHARE);
      since = performance.now();
    }
    hasNewcomer = false;
    isTurning = refusals.length + works.length + calls.length > 0;
    if (isTurning) setImmediate(turn);
  }
  return {
    /** Begins a call behind those that came before. */
    begin: (call: () => void) => join(calls, call),
    /** How many of them have not begun. */
    waiting: () => calls.length,
    /** Begins what is quickly done. */
    refuse: (call: () => void) => join(refusals, call),
    /** For heavy work of a call that has begun: one such work in each turn. */
    next: () => new Promise<void>((begin) => join(works, begin)),
  };
}

export type Turns = ReturnType<typeof takeTurns>;

/** How many are begun before it is looked whether the time is over. */
const AT_ONCE = 4;

/** @param share milliseconds; at least one is taken */
async function take(line: Line, share: number): Promise<void> {
  const end = performance.now() + share;
  do {
    for (const begin of line.splice(0, share > 0 ? AT_ONCE : 1)) begin();
    // All of it that can go on without waiting goes on.
    if (line.length > 0) await new Promise<void>((done) => process.nextTick(done));
  } while (line.length > 0 && performance.now() < end);
}

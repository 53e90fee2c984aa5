/** What a fact is known to be: one state after an answer, several where a call was lost without one. */
const ABSENT = "absent";

/**
 * Keeps for every fact that was ever written the states it may be in: what was acknowledged is the only one,
 * what was refused changes nothing, and what was never answered may have happened or not.
 */
export function createHistory() {
  const possible = new Map<string, Set<string>>();
  const tally = { acknowledged: 0, refused: 0, unanswered: 0 };
  const statesOf = (fact: string) => possible.get(fact) ?? new Set([ABSENT]);

  return {
    tally,
    /** Makes a call after which a fact shall be in a state. @returns what came back; null: no answer */
    async write(fact: string, state: string, call: () => Promise<Response>): Promise<Response | null> {
      const before = statesOf(fact);
      // Until there is an answer both may be true: a reader may come in between.
      possible.set(fact, new Set([...before, state]));
      const answer = await call().catch(() => null);
      // Whether a database that went away still wrote it, 503 cannot say.
      if (!answer || answer.status === 503) tally.unanswered++;
      else if (answer.ok) {
        tally.acknowledged++;
        possible.set(fact, new Set([state]));
      } else {
        tally.refused++;
        possible.set(fact, before);
      }
      return answer;
    },
    /** Forgets what was unsure: what is found after a kill is what there is. @returns every contradiction */
    check(found: ReadonlyMap<string, string>): string[] {
      const violations: string[] = [];
      for (const fact of new Set([...possible.keys(), ...found.keys()])) {
        const state = found.get(fact) ?? ABSENT;
        const allowed = statesOf(fact);
        if (!allowed.has(state)) violations.push(`${fact} is ${state}, not ${[...allowed].join(" or ")}`);
        possible.set(fact, new Set([state]));
      }
      return violations;
    },
  };
}

export type History = ReturnType<typeof createHistory>;

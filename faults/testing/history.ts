const ABSENT = "absent";

/** They do not show whether the lost database, or the process behind a proxy, has committed. */
const UNCERTAIN = [502, 503, 504];

/**
 * Tracks the possible states of each fact: an acknowledged write leaves one, a refused write changes nothing, and
 * after an unanswered write either state is possible.
 */
export function createHistory() {
  const possible = new Map<string, Set<string>>();
  const tally = { acknowledged: 0, refused: 0, unanswered: 0 };
  const statesOf = (fact: string) => possible.get(fact) ?? new Set([ABSENT]);

  return {
    tally,
    /** Sends a request that should bring a fact into a state. @returns the response, or null without one */
    async write(fact: string, state: string, call: () => Promise<Response>): Promise<Response | null> {
      const before = statesOf(fact);
      // Both states are possible until the response: a concurrent reader may see either.
      possible.set(fact, new Set([...before, state]));
      const response = await call().catch(() => null);
      if (!response || UNCERTAIN.includes(response.status)) tally.unanswered++;
      else if (response.ok) {
        tally.acknowledged++;
        possible.set(fact, new Set([state]));
      } else {
        tally.refused++;
        possible.set(fact, before);
      }
      return response;
    },
    /** Compares with the found states, which become the only possible ones. @returns all contradictions */
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

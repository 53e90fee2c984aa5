/** A request; `problem` is its status, or the error of the connection. */
export type Outcome = {
  who: "reader" | "writer" | "own read";
  what: string;
  endedAt: number;
  milliseconds: number;
  problem: string | null;
};

const TIMEOUT = 20_000;

export function createOutcomes() {
  const all: Outcome[] = [];
  return {
    all,
    /** Reads the whole body. @returns the response, or null without one */
    async send(who: Outcome["who"], what: string, call: () => Promise<Response>): Promise<Response | null> {
      const at = performance.now();
      let problem: string | null;
      let response: Response | null = null;
      try {
        response = await within(TIMEOUT, readWhole(call));
        problem = response.status >= 500 ? problemOf(response) : null;
      } catch (error) {
        problem = nameOf(error);
      }
      const endedAt = performance.now();
      all.push({ who, what, endedAt, milliseconds: endedAt - at, problem });
      return response;
    },
  };
}

export type Outcomes = ReturnType<typeof createOutcomes>;

/** An unread body would hold its connection. */
async function readWhole(call: () => Promise<Response>): Promise<Response> {
  const response = await call();
  const body = await response.arrayBuffer();
  const { status, headers } = response;
  return new Response(body.byteLength > 0 ? body : null, { status, headers });
}

/** Only the blog gives requests an id. Varnish says when to try again. */
function problemOf({ status, headers }: Response): string {
  if (headers.has("x-request-id")) return `${status}`;
  return `${status} of ${headers.has("retry-after") ? "Varnish" : "HAProxy"}`;
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no response")), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function nameOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { code?: string } };
  return cause?.code ?? message;
}

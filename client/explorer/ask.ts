import { readToken } from "./token.ts";

type Request = { query: string; operationName?: string | null; variables?: unknown };
type Answer = { data?: Record<string, unknown> | null };

/** Sends one operation; the response's extensions contain its cost. */
export async function ask(request: Request, headers: object = {}): Promise<Answer> {
  const token = readToken();
  const answer = await fetch("/graphql", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      "x-graphql-cost": "1",
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(request),
  });
  return (await answer.json()) as Answer;
}

/** Values for the placeholders in the examples: an existing post, its category and this server's origin. */
export type Place = { POST_ID: string; CATEGORY: string; ORIGIN: string };

export async function findPlace(): Promise<Place> {
  const { data } = await ask({ query: "{ posts(first: 1) { nodes { id category } } }" });
  const { nodes } = (data?.["posts"] ?? { nodes: [] }) as { nodes: { id: string; category: string }[] };
  return { POST_ID: nodes[0]?.id ?? "", CATEGORY: nodes[0]?.category ?? "", ORIGIN: location.origin };
}

import { uploadVariable } from "./curl.ts";
import { loginExample } from "./settings.ts";
import { readToken } from "./token.ts";

type Request = { query: string; operationName?: string | null; variables?: unknown };
export type OperationResponse = { data?: Record<string, unknown> | null; errors?: { message: string }[] };
type Options = { headers?: object; file?: File | null };

/** Sends one operation, as a form if it takes a file; the response's extensions contain its cost. */
export async function sendOperation(
  request: Request,
  { headers = {}, file = null }: Options = {},
): Promise<OperationResponse> {
  const token = readToken();
  const form = file && formOf(request, file);
  const response = await fetch("/graphql", {
    method: "POST",
    headers: {
      ...(form ? { "apollo-require-preflight": "1" } : { "content-type": "application/json" }),
      accept: "application/json",
      "x-graphql-cost": "1",
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: form ?? JSON.stringify(request),
  });
  return (await response.json()) as OperationResponse;
}

/** GraphQL's multipart request; null if the operation has no variable for the file. */
function formOf(request: Request, file: File): FormData | null {
  const name = uploadVariable(request.query);
  if (!name) return null;
  const form = new FormData();
  const variables = { ...(request.variables as object | undefined), [name]: null };
  form.set("operations", JSON.stringify({ ...request, variables }));
  form.set("map", JSON.stringify({ 0: [`variables.${name}`] }));
  form.set("0", file);
  return form;
}

/** Values for the placeholders in the examples: an existing post, its category, this server's origin, and a login. */
export type Placeholders = Record<"POST_ID" | "CATEGORY" | "ORIGIN" | "EMAIL" | "PASSWORD", string>;

export async function findPlaceholders(): Promise<Placeholders> {
  const { data } = await sendOperation({ query: "{ posts(first: 1) { nodes { id category } } }" });
  const { nodes } = (data?.["posts"] ?? { nodes: [] }) as { nodes: { id: string; category: string }[] };
  const { id = "", category = "" } = nodes[0] ?? {};
  return { POST_ID: id, CATEGORY: category, ORIGIN: location.origin, ...loginExample() };
}

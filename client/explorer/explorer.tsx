import { GraphiQL } from "graphiql";
import { useState, type ComponentProps } from "react";
import { ask, type Place } from "./ask.ts";
import { ExampleField } from "./example-field.tsx";
import { readToken, writeToken } from "./token.ts";

type Fetcher = ComponentProps<typeof GraphiQL>["fetcher"];

const FIRST_QUERY = "{\n  posts(first: 3) {\n    nodes {\n      id\n      title\n    }\n  }\n}\n";

// The URL may contain an operation, as a GraphQL request by GET does.
const given = new URLSearchParams(location.search);

export function Explorer({ place }: { place: Place }) {
  const [token, setToken] = useState(readToken);
  const [shown, show] = useState({
    query: given.get("query") ?? undefined,
    variables: given.get("variables") ?? undefined,
  });
  const keepToken = (next: string) => {
    writeToken(next);
    setToken(next);
  };
  // One instance for the page's lifetime: GraphiQL refetches the schema for each new fetcher.
  const [fetcher] = useState((): Fetcher => async (request, options) => {
    const answer = await ask(request, options?.headers);
    const { token: fresh } = (answer.data?.["login"] ?? {}) as { token?: string };
    if (fresh) keepToken(fresh);
    return answer as object;
  });
  return (
    <>
      <header>
        <h1>GraphQL explorer</h1>
        <ExampleField place={place} onChoose={show} />
        <label>
          Token
          <input
            type="password"
            autoComplete="off"
            placeholder="of a login, for what is yours"
            value={token}
            onChange={({ target }) => keepToken(target.value.trim())}
          />
        </label>
        <nav aria-label="Elsewhere">
          <a href="/schema.graphql">Schema</a>
          <a href="/api/docs">REST API</a>
          <a href="/">Blog</a>
        </nav>
      </header>
      <GraphiQL
        {...shown}
        defaultQuery={FIRST_QUERY}
        defaultEditorToolsVisibility="variables"
        fetcher={fetcher}
      />
    </>
  );
}

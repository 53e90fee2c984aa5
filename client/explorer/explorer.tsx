import { useEditorContext } from "@graphiql/react";
import { GraphiQL } from "graphiql";
import { useEffect, useRef, useState, type ComponentProps, type RefObject } from "react";
import { flushSync } from "react-dom";
import { sendOperation, type Placeholders } from "./send-operation.ts";
import { curlOf } from "./curl.ts";
import { ExampleField, type Operation } from "./example-field.tsx";
import { SignIn } from "./sign-in.tsx";
import { createStorage } from "./storage.ts";
import { readToken, tokenOf, writeToken } from "./token.ts";

type Fetcher = ComponentProps<typeof GraphiQL>["fetcher"];
type Editor = NonNullable<ReturnType<typeof useEditorContext>>;

const FIRST_QUERY = "{\n  posts(first: 3) {\n    nodes {\n      id\n      title\n    }\n  }\n}\n";

// The URL may contain an operation, as a GraphQL request by GET does.
const given = new URLSearchParams(location.search);
const initial = {
  query: given.get("query") ?? undefined,
  variables: given.get("variables") ?? undefined,
};

export function Explorer({ placeholders }: { placeholders: Placeholders }) {
  const [token, setToken] = useState(readToken);
  const [duration, setDuration] = useState<number | null>(null);
  const [storage] = useState(() => createStorage());
  const editorRef = useRef<Editor>(null);
  const fileRef = useRef<HTMLInputElement>(null);
  const keepToken = (next: string) => {
    writeToken(next);
    setToken(next);
  };
  // One instance for the page's lifetime: GraphiQL refetches the schema for each new fetcher.
  const [fetcher] = useState((): Fetcher => async (request, options) => {
    const start = performance.now();
    const picture = fileRef.current?.files?.[0] ?? null;
    const response = await sendOperation(request, { headers: options?.headers, file: picture });
    if (request.operationName !== "IntrospectionQuery") setDuration(performance.now() - start);
    const fresh = tokenOf(response, options?.documentAST, request.operationName);
    if (fresh) keepToken(fresh);
    return response as object;
  });
  return (
    <>
      <header>
        <h1>GraphQL explorer</h1>
        <ExampleField
          placeholders={placeholders}
          onChoose={(operation) => openTab(editorRef.current, operation)}
        />
        <label className="file">
          Picture
          <input
            ref={fileRef}
            type="file"
            accept="image/*"
            title="Sent as the Upload variable of an operation"
          />
        </label>
        <CopyAsCurl editorRef={editorRef} fileRef={fileRef} hasToken={token !== ""} />
        <SignIn token={token} onToken={keepToken} />
        <output aria-label="Response time">{duration !== null && `${Math.round(duration)} ms`}</output>
        <nav aria-label="Elsewhere">
          <a href="/schema.graphql">Schema</a>
          <a href="/api/docs">REST API</a>
          <a href="/">Blog</a>
        </nav>
      </header>
      <GraphiQL
        {...initial}
        defaultQuery={FIRST_QUERY}
        defaultEditorToolsVisibility="variables"
        fetcher={fetcher}
        storage={storage}
      >
        <EditorAccess editorRef={editorRef} />
      </GraphiQL>
    </>
  );
}

/** Hands GraphiQL's editor to the header, which is outside of it. */
function EditorAccess({ editorRef }: { editorRef: RefObject<Editor | null> }) {
  const context = useEditorContext({ nonNull: true });
  useEffect(() => {
    editorRef.current = context;
  });
  return null;
}

function openTab(editor: Editor | null, { query, variables }: Operation): void {
  // The editors show the new tab before they receive its text.
  flushSync(() => editor?.addTab());
  editor?.queryEditor?.setValue(query);
  editor?.variableEditor?.setValue(variables);
}

type CopyProps = {
  editorRef: RefObject<Editor | null>;
  fileRef: RefObject<HTMLInputElement | null>;
  hasToken: boolean;
};

function CopyAsCurl({ editorRef, fileRef, hasToken }: CopyProps) {
  const [label, setLabel] = useState("Copy as curl");
  const copy = async () => {
    const query = editorRef.current?.queryEditor?.getValue() ?? "";
    const variables = editorRef.current?.variableEditor?.getValue() ?? "";
    const fileName = fileRef.current?.files?.[0]?.name ?? "picture.jpg";
    try {
      const url = `${location.origin}/graphql`;
      await navigator.clipboard.writeText(curlOf({ query, variables }, { url, hasToken, fileName }));
      setLabel("Copied");
    } catch {
      setLabel("Not copied");
    }
    setTimeout(() => setLabel("Copy as curl"), 2_000);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {label}
    </button>
  );
}

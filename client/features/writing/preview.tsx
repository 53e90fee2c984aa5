import { useApolloClient } from "@apollo/client/react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { PreviewMarkdownDocument } from "../../generated/writing/graphql.ts";
import { messageOf } from "../../lib/forms/error-message.ts";

const DELAY_MS = 500;

export type RenderText = (html: string) => ReactNode;

/** The text as its readers will see it, rendered by the server. */
export function Preview({ text, renderText }: { text: string; renderText: RenderText }) {
  const client = useApolloClient();
  const [html, setHtml] = useState<string | null>(null);
  const [failure, setFailure] = useState("");
  // The first text is shown at once; later ones change while one writes.
  const delay = useRef(0);
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      try {
        const { data } = await client.query({
          query: PreviewMarkdownDocument,
          variables: { text },
          fetchPolicy: "no-cache",
          context: { fetchOptions: { method: "POST" } },
        });
        if (!isCurrent) return;
        setHtml(data?.previewMarkdown ?? "");
        setFailure("");
      } catch (error) {
        if (isCurrent) setFailure(messageOf(error));
      }
    };
    const timer = setTimeout(() => void load(), delay.current);
    delay.current = DELAY_MS;
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [client, text]);
  return (
    <section className="preview" aria-label="Preview" aria-busy={html === null && !failure}>
      {failure && <p className="meta">No preview: {failure}</p>}
      {html !== null && renderText(html)}
    </section>
  );
}

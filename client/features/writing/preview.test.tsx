// @vitest-environment jsdom
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, render, screen } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { createCache, createClient } from "../../app/apollo/client.ts";
import { browserLink } from "../../app/apollo/links.ts";
import { Preview } from "./preview.tsx";

test("a text is sent to its preview by POST, never in an address", async () => {
  onTestFinished(cleanup);
  onTestFinished(() => void vi.unstubAllGlobals());
  const sent: { url: string; method?: string; body: string }[] = [];
  let isKnown = false;
  vi.stubGlobal("fetch", async (url: string, { method, body }: RequestInit) => {
    const unknown = { errors: [{ message: "?", extensions: { code: "PERSISTED_QUERY_NOT_FOUND" } }] };
    const response = isKnown ? { data: { previewMarkdown: "<p>Seen</p>" } } : unknown;
    sent.push({ url, method, body: String(body) });
    isKnown = true;
    return new Response(JSON.stringify(response), { headers: { "content-type": "application/json" } });
  });
  render(
    <ApolloProvider client={createClient(browserLink, createCache(), false)}>
      <Preview text="Confidential" renderText={(html) => <div data-html={html}>Seen</div>} />
    </ApolloProvider>,
  );
  await screen.findByText("Seen");
  // First as its hash, then in full.
  expect(sent).toHaveLength(2);
  for (const { url, method, body } of sent) {
    expect([url, method]).toEqual(["/graphql", "POST"]);
    expect(JSON.parse(body).variables).toEqual({ text: "Confidential" });
  }
});

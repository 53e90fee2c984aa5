import { ApolloClient, ApolloLink, InMemoryCache } from "@apollo/client";
import { firstValueFrom, of } from "rxjs";
import { expect, onTestFinished, test, vi } from "vitest";
import { HomePageDocument } from "../../generated/lists/graphql.ts";
import { LikePostDocument } from "../../generated/reading/graphql.ts";
import { rememberBuild } from "../../lib/load-code.ts";
import { persistedLink } from "./persisted-link.ts";

type Sent = { method?: string; whole: boolean; hash?: string };

/** Opens a client on a fake server, which records requests; `knows` decides whether it accepts a hash. */
function openClient(knows: () => boolean, isPersistedOnly = false) {
  const sent: Sent[] = [];
  const server = new ApolloLink((operation) => {
    const { http, fetchOptions } = operation.getContext();
    const { persistedQuery } = operation.extensions as { persistedQuery?: { sha256Hash: string } };
    const whole = http?.["includeQuery"] !== false;
    sent.push({ method: fetchOptions?.["method"], whole, hash: persistedQuery?.sha256Hash });
    if (knows() || (whole && !isPersistedOnly)) return of({ data: { done: true } });
    return of({ errors: [{ message: "?", extensions: { code: "PERSISTED_QUERY_NOT_FOUND" } }] });
  });
  const link = persistedLink.concat(server);
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  const send = (query: typeof HomePageDocument | typeof LikePostDocument) =>
    firstValueFrom(ApolloLink.execute(link, { query }, { client }));
  return { sent, send };
}

const hash = expect.stringMatching(/^[0-9a-f]{64}$/);

test("documents are sent as their hash: queries by GET, mutations by POST", async () => {
  const { sent, send } = openClient(() => true);
  expect(await send(HomePageDocument)).toEqual({ data: { done: true } });
  await send(LikePostDocument);
  expect(sent).toEqual([
    { method: "GET", whole: false, hash },
    { method: "POST", whole: false, hash },
  ]);
});

test("after an unknown hash the document and all later ones are sent in full", async () => {
  const { sent, send } = openClient(() => false);
  expect(await send(HomePageDocument)).toEqual({ data: { done: true } });
  await send(LikePostDocument);
  expect(sent).toEqual([
    { method: "GET", whole: false, hash },
    { whole: true, method: undefined, hash: undefined },
    { whole: true, method: undefined, hash: undefined },
  ]);
});

test("B49: a server of another build that runs no unknown document has the page reloaded, one of this build does not", async () => {
  let status = 200;
  const reload = vi.fn();
  vi.stubGlobal("fetch", () => Promise.resolve({ status }));
  vi.stubGlobal("location", { reload });
  onTestFinished(() => void vi.unstubAllGlobals());
  rememberBuild("/assets/entry.js");
  const { send } = openClient(() => false, true);
  expect(await send(HomePageDocument)).toMatchObject({ errors: [{ message: "?" }] });
  expect(reload).not.toHaveBeenCalled();
  status = 404;
  void send(HomePageDocument);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

import { ApolloLink, type NormalizedCacheObject } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { prerenderStatic } from "@apollo/client/react/ssr";
import { StrictMode, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router-dom";
import { from, tap } from "rxjs";
import { paths } from "../config/paths.ts";
import { SiteContext, type PageMetadata, type Site } from "../lib/site.ts";
import { App } from "./app.tsx";
import { createCache, createClient } from "./apollo/client.ts";
import { Document, type Assets } from "./boot/document.tsx";
import { jsonForHtml, linkPreview } from "./boot/link-preview.ts";
import type { PageState } from "./boot/page-state.ts";
import { matchPage, pageAt } from "./pages.ts";

export { bootScript } from "./boot/boot-script.ts";

/** The page of a request, and the URL to render: React Router logs URLs that match no route, so these become `/not-found`. */
function locate(requestUrl: string) {
  // A leading `//` would name another host, and some URLs cannot be parsed at all.
  const url = requestUrl.replace(/^[\\/]+/, "/");
  const page = URL.canParse(url, "http://page") && matchPage(new URL(url, "http://page").pathname);
  return page ? { url, page } : { url: "/not-found", page: pageAt("/not-found") };
}

export function describePage(requestUrl: string) {
  const { path, access, module } = locate(requestUrl).page;
  return { exists: path !== "*", path, access, module };
}

type Execute = (request: {
  query: unknown;
  variables: Record<string, unknown>;
  operationName?: string;
}) => Promise<ApolloLink.Result>;

type Page = { status: number; html: string };
type Request = {
  url: string;
  siteTitle: string;
  siteUrl: string;
  settings: Pick<Site, "offlineReading" | "hasMailServer">;
  /** Null for a page without its data, which the browser reads: it is the same for all URLs of a path. */
  execute: Execute | null;
  assets: Assets & { sheet: string };
  /** Runs one pass of rendering when the event loop has time for it. */
  schedule: (pass: () => string) => Promise<string>;
};

/** Renders a page as a visitor sees it, so the HTML is the same for everybody. */
export async function render({
  siteTitle,
  siteUrl,
  settings,
  execute,
  assets: { sheet, ...assets },
  schedule,
  ...request
}: Request): Promise<Page> {
  const { url, page } = locate(request.url);
  await page.load();
  let status = page.path === "*" ? 404 : 200;
  const read = ({ query, variables, operationName }: ApolloLink.Operation, run: Execute) =>
    from(run({ query, variables, operationName })).pipe(
      // 503 keeps caches and search engines from storing a page whose data could not be read.
      tap(({ errors }) => {
        if (errors?.some(({ extensions }) => extensions?.["code"] !== "BAD_USER_INPUT")) status = 503;
      }),
    );
  const link = execute ? new ApolloLink((operation) => read(operation, execute)) : ApolloLink.empty();
  const client = createClient(link, createCache(false), true);
  let facts: PageMetadata = { title: "" };
  const reportStatus = (reported: number) => void (status = reported);
  const reportPage = (reported: PageMetadata) => void (facts = reported);
  const offline = page.path === paths.offline;
  const place = { title: siteTitle, url: siteUrl };
  const siteFor = (outage: boolean) => ({
    ...place,
    ...settings,
    outage,
    offline,
    isPartial: execute === null,
  });
  const treeOf = (outage: boolean) => (
    <StrictMode>
      <Document assets={assets} sheet={sheet}>
        <SiteContext value={{ ...siteFor(outage), reportStatus, reportPage }}>
          <ApolloProvider client={client}>
            <StaticRouter location={url}>
              <App />
            </StaticRouter>
          </ApolloProvider>
        </SiteContext>
      </Document>
    </StrictMode>
  );
  const renderFunction = (tree: ReactNode) => schedule(() => renderToString(tree));
  const tree = treeOf(false);
  const result = execute
    ? (await prerenderStatic({ tree, context: { client }, renderFunction })).result
    : await renderFunction(tree);
  const outage = status === 503;
  const cache = (outage ? {} : client.extract()) as NormalizedCacheObject;
  const state: PageState = { assets, site: siteFor(outage), cache };
  const html = outage ? await renderFunction(treeOf(true)) : result;
  const preview = execute ? linkPreview(place, status === 200 ? facts : { title: "" }) : "";
  return { status, html: `<!doctype html>${withPreview(withState(html, state), preview)}` };
}

/** React's elements come first, so that it finds each at its place when it hydrates the head. */
function withPreview(html: string, preview: string): string {
  const end = html.indexOf("</head>");
  return html.slice(0, end) + preview + html.slice(end);
}

function withState(html: string, state: PageState): string {
  const end = html.lastIndexOf("</body>");
  return `${html.slice(0, end)}<script id="state" type="application/json">${jsonForHtml(state)}</script>${html.slice(end)}`;
}

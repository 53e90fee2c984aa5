import "../ui/styles/index.css";
import { ApolloProvider } from "@apollo/client/react";
import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { App } from "./app.tsx";
import { createCache, createClient } from "./apollo/client.ts";
import { paths } from "../config/paths.ts";
import { readSession, watchSession } from "../features/accounts/session.ts";
import { Document } from "./boot/document.tsx";
import { browserLink } from "./apollo/links.ts";
import { pageAt } from "./pages.ts";
import { rememberBuild } from "../lib/load-code.ts";
import { ignoreReports, SiteContext } from "../lib/site.ts";
import { prepareToasts } from "../lib/toast.ts";
import type { PageState } from "./boot/page-state.ts";

const state = JSON.parse(
  document.querySelector('body > script#state[type="application/json"]')?.textContent ?? "{}",
) as PageState;
const site = { ...state.site, ...ignoreReports };
const sheet = document.querySelector("style")?.textContent ?? "";
const client = createClient(browserLink, createCache().restore(state.cache), false);

void import("./boot/deferred-css.ts");
watchSession(client);
rememberBuild(state.assets.script);

const hydrate = () => {
  hydrateRoot(
    document,
    <StrictMode>
      <Document assets={state.assets} sheet={sheet}>
        <SiteContext value={site}>
          <ApolloProvider client={client}>
            <BrowserRouter>
              <App />
            </BrowserRouter>
          </ApolloProvider>
        </SiteContext>
      </Document>
    </StrictMode>,
  );
};

// Loads the page's code before hydration: suspending would replace the server's HTML with a fallback.
// A top-level await would deadlock, since pages import from this module's chunk.
// The transition makes hydration interruptible, so the page stays responsive.
void pageAt(site.offline ? paths.offline : location.pathname)
  .load()
  .then(() => startTransition(hydrate));

if (readSession()) prepareToasts();

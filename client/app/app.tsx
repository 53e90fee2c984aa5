import { Suspense, useState } from "react";
import { useLocation, useRoutes } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { useSite } from "../lib/site.ts";
import { ErrorBoundary } from "../ui/feedback/error-boundary.tsx";
import { FlashNotice } from "../ui/feedback/flash-notice.tsx";
import { Outage } from "../ui/feedback/outage.tsx";
import { Toasts } from "../ui/feedback/toasts.tsx";
import { useLinkPreviewRemoval } from "./boot/use-link-preview-removal.ts";
import { usePageCopy } from "./offline/use-page-copy.ts";
import { Layout } from "./layout.tsx";
import type { Page } from "./define-page.ts";
import { pageAt } from "./pages.ts";

export function App() {
  const { pathname, key } = useLocation();
  // Outage and missing network apply to the page that the server rendered, not to later navigations.
  const [arrival] = useState(key);
  useLinkPreviewRemoval(pathname);
  usePageCopy();
  const { outage, offline } = useSite();
  const isOffline = offline && key === arrival;
  const page = pageAt(isOffline ? paths.offline : pathname);
  return (
    <Layout isBare={page.isBare}>
      <ErrorBoundary key={pathname}>
        <Suspense fallback={<div className="page-loading" aria-busy="true" />}>
          {isOffline ? page.render() : outage && key === arrival ? <Outage /> : <Routed page={page} />}
        </Suspense>
      </ErrorBoundary>
      <FlashNotice />
      <Toasts />
    </Layout>
  );
}

/** Gives a page the parameters of its path; a path with a line break matches no route. */
function Routed({ page: { path, render } }: { page: Page }) {
  const element = render();
  return useRoutes([{ path, element }]) ?? element;
}

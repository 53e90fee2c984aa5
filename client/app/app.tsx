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
import { notFoundPage, pageAt } from "./pages.ts";

export function App() {
  const { pathname, key } = useLocation();
  // Outage and missing network apply to the page that the server rendered, not to later navigations.
  const [arrival] = useState(key);
  useLinkPreviewRemoval(pathname);
  usePageCopy();
  const { outage, offline } = useSite();
  const isOffline = offline && key === arrival;
  return (
    <Layout isBare={!isOffline && pageAt(pathname).isBare}>
      <ErrorBoundary key={pathname}>
        <Suspense fallback={<div className="page-loading" aria-busy="true" />}>
          {isOffline ? offlinePage() : outage && key === arrival ? <Outage /> : <PageRoutes />}
        </Suspense>
      </ErrorBoundary>
      <FlashNotice />
      <Toasts />
    </Layout>
  );
}

const offlinePage = () => pageAt(paths.offline).render();

/** Of one route: to match all of them takes a fifth of the time in which the server renders a page without data. */
function PageRoutes() {
  const { path, render } = pageAt(useLocation().pathname);
  return useRoutes([{ path, element: render() }]) ?? notFoundPage.render();
}

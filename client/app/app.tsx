import { Suspense, useState } from "react";
import { useLocation, useRoutes } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { useHydrated } from "../lib/hydrated.ts";
import { useSite } from "../lib/site.ts";
import { PageTitle } from "../ui/basics/page-title.tsx";
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
  const { outage, offline, isPartial } = useSite();
  const isEmpty = !useHydrated() && isPartial;
  const [isOffline, isOutage] = [offline && key === arrival, outage && key === arrival];
  return (
    <Layout isBare={!isOffline && pageAt(pathname).isBare}>
      <ErrorBoundary key={pathname}>
        <Suspense fallback={loading}>
          {isEmpty ? <EmptyPage /> : isOffline ? offlinePage() : isOutage ? <Outage /> : <PageRoutes />}
        </Suspense>
      </ErrorBoundary>
      <FlashNotice />
      <Toasts />
    </Layout>
  );
}

/** Of a page that the server sent without its data, until hydration. */
const EmptyPage = () => (
  <>
    <PageTitle />
    {loading}
  </>
);

const loading = <div className="page-loading" aria-busy="true" />;

const offlinePage = () => pageAt(paths.offline).render();

function PageRoutes() {
  const { path, render } = pageAt(useLocation().pathname);
  return useRoutes([{ path, element: render() }]) ?? notFoundPage.render();
}

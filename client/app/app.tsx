import { Suspense, useState } from "react";
import { Route, Routes, useLocation } from "react-router-dom";
import { useSite } from "../lib/site.ts";
import { ErrorBoundary } from "../ui/feedback/error-boundary.tsx";
import { FlashNotice } from "../ui/feedback/flash-notice.tsx";
import { Outage } from "../ui/feedback/outage.tsx";
import { Toasts } from "../ui/feedback/toasts.tsx";
import { useLinkPreviewRemoval } from "./boot/use-link-preview-removal.ts";
import { Layout } from "./layout.tsx";
import { pageAt, pages } from "./pages.ts";

export function App() {
  const { pathname, key } = useLocation();
  // The outage applies to the page that the server rendered, not to later navigations.
  const [arrival] = useState(key);
  useLinkPreviewRemoval(pathname);
  const isOut = useSite().outage && key === arrival;
  return (
    <Layout isBare={pageAt(pathname).isBare}>
      <ErrorBoundary key={pathname}>
        <Suspense fallback={<div className="page-loading" aria-busy="true" />}>
          {isOut ? <Outage /> : <PageRoutes />}
        </Suspense>
      </ErrorBoundary>
      <FlashNotice />
      <Toasts />
    </Layout>
  );
}

const PageRoutes = () => (
  <Routes>
    {pages.map((page) => (
      <Route key={page.path} path={page.path} element={page.render()} />
    ))}
  </Routes>
);

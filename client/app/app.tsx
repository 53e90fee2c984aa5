import { Suspense } from "react";
import { Route, Routes, useLocation } from "react-router-dom";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { Toasts } from "../ui/toasts.tsx";
import { Layout } from "./layout.tsx";
import { pages } from "./pages.ts";

/** Everything below the router. */
export function App() {
  const { pathname } = useLocation();
  return (
    <Layout>
      <ErrorBoundary key={pathname}>
        <Suspense fallback={<div className="page-loading" aria-busy="true" />}>
          <Routes>
            {pages.map((page) => (
              <Route key={page.path} path={page.path} element={page.render()} />
            ))}
          </Routes>
        </Suspense>
      </ErrorBoundary>
      <Toasts />
    </Layout>
  );
}

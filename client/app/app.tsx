import { Suspense } from "react";
import { Route, Routes } from "react-router-dom";
import { Toasts } from "../ui/toasts.tsx";
import { Layout } from "./layout.tsx";
import { pages } from "./pages.ts";

/** Everything below the router. */
export function App() {
  return (
    <Layout>
      <Suspense fallback={<div className="page-loading" aria-busy="true" />}>
        <Routes>
          {pages.map((page) => (
            <Route key={page.path} path={page.path} element={page.render()} />
          ))}
        </Routes>
      </Suspense>
      <Toasts />
    </Layout>
  );
}

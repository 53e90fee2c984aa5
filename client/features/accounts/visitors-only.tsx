import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { useSession } from "./session.ts";

/** Redirects signed-in users to the page that they came from, without rendering the children first. */
export function VisitorsOnly({ children }: { children: ReactNode }) {
  const { from } = (useLocation().state ?? {}) as { from?: string };
  if (useSession()) return <Navigate to={from ?? paths.home} replace />;
  return <div className="visitors-only">{children}</div>;
}

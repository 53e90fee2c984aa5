import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import type { LoginState } from "../../lib/after-login.ts";
import { useSession } from "./session.ts";

/** Redirects signed-in users to the page that they came from (see `LoginState`), without rendering the children first. */
export function VisitorsOnly({ children }: { children: ReactNode }) {
  const { from, then } = (useLocation().state ?? {}) as Partial<LoginState>;
  // The router refuses a path that names another host.
  const target = from && !from.startsWith("//") ? from : paths.home;
  if (useSession()) return <Navigate to={target} state={then && { then }} replace />;
  return <div className="visitors-only">{children}</div>;
}

import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { useSession } from "./session.ts";

/** Pages for who is not signed in; everybody else is led where they came from, and sees nothing of them before. */
export function VisitorsOnly({ children }: { children: ReactNode }) {
  const { from } = (useLocation().state ?? {}) as { from?: string };
  if (useSession()) return <Navigate to={from ?? paths.home} replace />;
  return <div className="visitors-only">{children}</div>;
}

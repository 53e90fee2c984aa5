import type { ReactNode } from "react";
import { Navigate } from "react-router-dom";
import { paths } from "../../app/paths.ts";
import { useSession } from "./session.ts";

/** Pages for who is not signed in; everybody else is led home, and sees nothing of them before. */
export function VisitorsOnly({ children }: { children: ReactNode }) {
  if (useSession()) return <Navigate to={paths.home} replace />;
  return <div className="visitors-only">{children}</div>;
}

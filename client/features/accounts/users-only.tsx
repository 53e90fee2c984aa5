import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { useHydrated } from "../../lib/hydrated.ts";
import { hasExpired, useSession, type Session } from "./session.ts";

/** Sends an expired session to the login and back; any other visitor goes home. */
export function UsersOnly({ children }: { children: (session: Session) => ReactNode }) {
  const hydrated = useHydrated();
  const session = useSession();
  const { pathname } = useLocation();
  if (session) return children(session);
  if (!hydrated) return <div className="page-loading" aria-busy="true" />;
  return hasExpired() ? (
    <Navigate to={paths.login} state={{ from: pathname }} replace />
  ) : (
    <Navigate to={paths.home} replace />
  );
}

import { useState, type ReactNode } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { useHydrated } from "../../lib/hydrated.ts";
import { hasExpired, useSession, type Session } from "./session.ts";

type Props = {
  /** Keeps the page of an expired session open: what is typed in it goes on. */
  staysOpen?: boolean;
  children: (session: Session, isSignedIn: boolean) => ReactNode;
};

/** Sends an expired session to the login and back; any other visitor goes home. */
export function UsersOnly({ staysOpen = false, children }: Props) {
  const hydrated = useHydrated();
  const session = useSession();
  const [last, setLast] = useState(session);
  const { pathname } = useLocation();
  if (session && session !== last) setLast(session);
  if (session) return children(session, true);
  if (!hydrated) return <div className="page-loading" aria-busy="true" />;
  if (!hasExpired()) return <Navigate to={paths.home} replace />;
  return staysOpen && last ? (
    children(last, false)
  ) : (
    <Navigate to={paths.login} state={{ from: pathname }} replace />
  );
}

import type { ReactNode } from "react";
import { Navigate } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { useHydrated } from "../../lib/hydrated.ts";
import { useSession } from "./session.ts";

/** Redirects everybody but admins. This is for convenience only: the server authorizes each request. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  const hydrated = useHydrated();
  const session = useSession();
  if (session?.isAdmin) return children;
  return hydrated ? <Navigate to={paths.home} replace /> : <div className="page-loading" aria-busy="true" />;
}

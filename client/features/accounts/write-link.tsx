import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { useSession } from "./session.ts";

/** Leads to the form for a new post, a visitor through Login: the form itself sends visitors home. */
export const WriteLink = ({ children }: { children: ReactNode }) =>
  useSession() ? (
    <Link to={paths.createPost}>{children}</Link>
  ) : (
    <Link to={paths.login} state={{ from: paths.createPost }}>
      {children}
    </Link>
  );

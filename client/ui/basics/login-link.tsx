import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import type { LoginState } from "../../lib/after-login.ts";

type Props = LoginState & { className?: string; "aria-label"?: string; children: ReactNode };

/** For visitors: leads to Login and back to `from`, where the action `then` follows. */
export const LoginLink = ({ from, then, ...link }: Props) => (
  <Link to={paths.login} state={{ from, then } satisfies LoginState} {...link} />
);

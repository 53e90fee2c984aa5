import { Link, useLocation } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import type { LoginState } from "../../lib/after-login.ts";

/** For visitors: leads to Login and back, and then follows. */
export const FollowLink = ({ name }: { name: string }) => (
  <Link
    to={paths.login}
    state={{ from: useLocation().pathname, then: "follow" } satisfies LoginState}
    className="like-button"
    aria-label={`Login to follow ${name}`}
  >
    Follow
  </Link>
);

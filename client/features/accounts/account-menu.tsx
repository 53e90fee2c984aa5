import { useCallback, useRef, useState, type ReactNode } from "react";
import { Link, useLocation } from "react-router-dom";
import { paths, profilePath } from "../../config/paths.ts";
import { useDismiss } from "../../lib/use-dismiss.ts";
import { Avatar } from "../../ui/basics/avatar.tsx";
import { ChevronIcon } from "../../ui/basics/icons.tsx";
import { hasExpired, useSession, type Session } from "./session.ts";
import { useLogout } from "./use-logout.ts";
import "./account-menu.css";

export function AccountMenu({ draftCount }: { draftCount: ReactNode }) {
  const session = useSession();
  return (
    <div className="account-menu">
      {session ? <Dropdown session={session} draftCount={draftCount} /> : <VisitorLinks />}
    </div>
  );
}

function VisitorLinks() {
  const { pathname, state } = useLocation();
  // After an expired session, logging in leads back to the current page.
  const back = hasExpired() ? { from: pathname, ...state } : undefined;
  return (
    // The boot script decides before hydration whether these links are visible; hidden ones keep their space.
    <div className="visitor-links">
      <Link to={paths.login} state={back}>
        Login
      </Link>
      <Link to={paths.register}>Register</Link>
    </div>
  );
}

function Dropdown({ session, draftCount }: { session: Session; draftCount: ReactNode }) {
  const [open, setOpen] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  const close = useCallback(() => setOpen(false), []);
  const logout = useLogout();
  useDismiss(area, open, close);
  return (
    <div ref={area} className="dropdown">
      <button type="button" aria-expanded={open} aria-controls="account-links" onClick={() => setOpen(!open)}>
        <Avatar url={session.profilePhoto.url} />
        <span className="name" dir="auto">
          {session.username}
        </span>
        <ChevronIcon />
      </button>
      {open && (
        <ul id="account-links">
          <li>
            <Link to={profilePath(session._id)} onClick={close}>
              Profile
            </Link>
          </li>
          <li>
            <Link to={paths.bookmarks} onClick={close}>
              Your bookmarks
            </Link>
          </li>
          <li>
            <Link to={paths.drafts} onClick={close}>
              Your drafts {draftCount}
            </Link>
          </li>
          <li>
            <button type="button" onClick={() => void logout()}>
              Logout
            </button>
          </li>
        </ul>
      )}
    </div>
  );
}

import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { Link, NavLink } from "react-router-dom";
import { AccountMenu } from "../features/accounts/account-menu.tsx";
import { useSession } from "../features/accounts/session.ts";
import { lazyComponent } from "../lib/lazy-component.tsx";
import { useDismiss } from "../lib/use-dismiss.ts";
import { MenuIcon, PencilIcon } from "../ui/basics/icons.tsx";
import { paths } from "../config/paths.ts";
import { messages } from "../config/messages.ts";
import "./header.css";

// Loaded when the menu opens.
const DraftCount = lazyComponent(
  async () => (await import("../features/writing/draft-count.tsx")).DraftCount,
);

export function Header() {
  const [open, setOpen] = useState(false);
  const bar = useRef<HTMLElement>(null);
  const close = useCallback(() => setOpen(false), []);
  useDismiss(bar, open, close);
  useHideOnScroll(bar, open);
  return (
    <header className="site-header" ref={bar}>
      {open && <div className="scrim" onClick={close} />}
      <div className="bar">
        <Link to={paths.home} className="wordmark" onClick={close}>
          BLOG <PencilIcon />
        </Link>
        <Menu open={open} close={close} />
        <AccountMenu draftCount={<DraftCount />} />
        <button
          type="button"
          className="menu-toggle"
          aria-expanded={open}
          aria-controls="menu"
          aria-label={open ? "Close menu" : "Open menu"}
          onClick={() => setOpen(!open)}
        >
          <MenuIcon open={open} />
        </button>
      </div>
    </header>
  );
}

function Menu({ open, close }: { open: boolean; close: () => void }) {
  const session = useSession();
  const item = (to: string, label: string, end = true) => (
    <li>
      <NavLink to={to} end={end} onClick={close}>
        {label}
      </NavLink>
    </li>
  );
  return (
    <nav id="menu" className="menu" data-open={open || undefined} aria-label="Main">
      <ul>
        {item(paths.home, "Home")}
        {item(paths.posts, "Posts")}
        {session && item(paths.createPost, "Create")}
        {session?.isAdmin && item(paths.admin, messages.menuAdmin, false)}
      </ul>
    </nav>
  );
}

function useHideOnScroll(bar: RefObject<HTMLElement | null>, held: boolean): void {
  useEffect(() => {
    let last = window.scrollY;
    const onScroll = () => {
      const { scrollY } = window;
      const down = scrollY > last && scrollY > 120;
      bar.current?.toggleAttribute(
        "data-hidden",
        down && !held && !bar.current.contains(document.activeElement),
      );
      last = scrollY;
    };
    addEventListener("scroll", onScroll, { passive: true });
    return () => removeEventListener("scroll", onScroll);
  }, [bar, held]);
}

import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { Link, NavLink } from "react-router-dom";
import { AccountMenu } from "../features/accounts/account-menu.tsx";
import { useSession } from "../features/accounts/session.ts";
import { lazyComponent } from "../lib/lazy-component.tsx";
import { useDismiss } from "../lib/use-dismiss.ts";
import { MenuIcon, PencilIcon, SearchIcon } from "../ui/basics/icons.tsx";
import { paths } from "../config/paths.ts";
import { messages } from "../config/messages.ts";
import "./header.css";

// Loaded when the menu opens, which must not reload a page.
const DraftCount = lazyComponent(
  async () => (await import("../features/writing/draft-count.tsx")).DraftCount,
  () => null,
);

const SearchBox = lazyComponent(async () => (await import("../features/search/search-box.tsx")).SearchBox);

export function Header() {
  const [shown, setShown] = useState<"menu" | "search" | null>(null);
  const open = shown === "menu";
  const bar = useRef<HTMLElement>(null);
  const close = useCallback(() => setShown(null), []);
  const search = useCallback((event: Press) => {
    // With these keys the browser opens the page of the search in a new tab.
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    setShown("search");
  }, []);
  useDismiss(bar, shown !== null, close);
  useHideOnScroll(bar, shown !== null);
  useSlashKey(search);
  return (
    <header className="site-header" ref={bar}>
      {open && <div className="scrim" onClick={close} />}
      <div className="bar">
        <Link to={paths.home} className="wordmark" onClick={close}>
          BLOG <PencilIcon />
        </Link>
        <Menu open={open} close={close} />
        <NavLink to={paths.search} className="search-link" aria-label="Search" onClick={search}>
          <SearchIcon />
        </NavLink>
        <AccountMenu draftCount={<DraftCount />} />
        <button
          type="button"
          className="menu-toggle"
          aria-expanded={open}
          aria-controls="menu"
          aria-label={open ? "Close menu" : "Open menu"}
          onClick={() => setShown(open ? null : "menu")}
        >
          <MenuIcon open={open} />
        </button>
      </div>
      {shown === "search" && <SearchBox close={close} />}
    </header>
  );
}

type Press = Pick<KeyboardEvent, "ctrlKey" | "metaKey" | "preventDefault">;

function useSlashKey(press: (event: Press) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).closest("input,textarea,select,dialog");
      if (event.key === "/" && !isTyping) press(event);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [press]);
}

type MenuProps = { open: boolean; close: () => void };

function Menu({ open, close }: MenuProps) {
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
    if (held) bar.current?.removeAttribute("data-hidden");
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

import { useEffect, useRef, type ReactNode, type RefObject } from "react";
import { useLocation, useNavigationType } from "react-router-dom";
import { useSite } from "../lib/site.ts";
import { Header } from "./header.tsx";
import { prefetch } from "./prefetch.ts";
import { ThemeSwitch } from "./theme-switch.tsx";
import "./layout.css";

/** What every page shares: a way past the header, the header, the page, the footer. */
export function Layout({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  useArrival(main);
  return (
    <div className="layout" onMouseOver={prefetch} onFocus={prefetch}>
      <a className="skip-link visually-hidden" href="#main">
        Skip to content
      </a>
      <Header />
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </div>
  );
}

/** On a new page one starts at its top, with the eyes as with the keyboard. */
function useArrival(main: RefObject<HTMLElement | null>): void {
  const { pathname, search, state } = useLocation();
  const staysInPlace = (state as { staysInPlace?: boolean } | null)?.staysInPlace;
  const type = useNavigationType();
  const known = useRef(pathname + search);
  useEffect(() => {
    if (known.current === pathname + search) return;
    known.current = pathname + search;
    // Back and forward lead to where one was: the browser knows the place. Who sorts or searches stays there.
    if (type === "POP" || staysInPlace) return;
    window.scrollTo({ top: 0, behavior: "instant" });
    main.current?.focus({ preventScroll: true });
  }, [main, pathname, search, type, staysInPlace]);
}

function Footer() {
  const { title } = useSite();
  return (
    <footer className="site-footer">
      <p className="meta" suppressHydrationWarning>
        Copyright {new Date().getFullYear()} © {title}
      </p>
      <ThemeSwitch />
    </footer>
  );
}

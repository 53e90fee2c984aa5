import { useRef, type ReactNode } from "react";
import { useSite } from "../lib/site.ts";
import { OfflineBar } from "../ui/feedback/offline-bar.tsx";
import { useClickReplay } from "./boot/click-replay.ts";
import { Header } from "./header.tsx";
import { useCardTransition } from "./boot/use-card-transition.ts";
import { prefetch } from "./boot/prefetch.ts";
import { ThemeSwitch } from "./theme-switch.tsx";
import { useScrollRestoration } from "./boot/use-scroll-restoration.ts";
import "./layout.css";

type Props = {
  /** Without header and footer. */
  isBare: boolean;
  children: ReactNode;
};

export function Layout({ isBare, children }: Props) {
  const main = useRef<HTMLElement>(null);
  const { isPartial } = useSite();
  useScrollRestoration(main);
  useClickReplay();
  return (
    <div
      className="layout"
      data-bare={isBare || undefined}
      onMouseOver={prefetch}
      onFocus={prefetch}
      onClickCapture={useCardTransition()}
    >
      {!isBare && (
        <>
          <a className="skip-link visually-hidden" href="#main">
            Skip to content
          </a>
          <Header />
        </>
      )}
      <main id="main" ref={main} tabIndex={-1}>
        <noscript>
          <p className="no-script meta">
            {isPartial
              ? "Many people are reading here just now, and JavaScript is off. Load this page again in a few seconds."
              : "JavaScript is off: you can read everything; to sign in, write and like, switch it on."}
          </p>
        </noscript>
        {children}
      </main>
      {!isBare && <Footer />}
      <OfflineBar />
    </div>
  );
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

import type { ReactNode } from "react";
import { bootScript } from "./boot-script.ts";

export type Assets = {
  fonts: string[];
  /** The file of the CSS that no first paint needs, null in development. The entry script loads it. */
  deferred: string | null;
  /** The boot script loads `styles`, whose rules the inlined sheet has already, `script` and `preloads`. */
  styles: string[];
  script: string;
  preloads: string[];
};

type Props = {
  assets: Assets;
  sheet: string;
  children: ReactNode;
};

/** Renders the whole document, so that React puts each page's title and description into the head. */
export function Document({ assets, sheet, children }: Props) {
  return (
    // The boot script sets attributes on this element before hydration.
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <style dangerouslySetInnerHTML={{ __html: sheet }} />
        {assets.fonts.map((font) => (
          <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        <noscript>
          <link rel="manifest" href="/manifest.webmanifest" />
          {assets.deferred && <link rel="stylesheet" href={assets.deferred} />}
        </noscript>
        <script dangerouslySetInnerHTML={{ __html: bootScript }} />
      </head>
      <body>{children}</body>
    </html>
  );
}

import { createElement, lazy, type ComponentType, type ReactElement } from "react";
import { loadCode } from "../lib/load-code.ts";

export type Page = {
  path: string;
  /** The module's source file, which is its key in the build's manifest. */
  module: string;
  /** Whether it is shown without the header and the footer of the site. */
  isBare: boolean;
  /** A `token` page has a secret in its URL. */
  access: "public" | "token";
  load: () => Promise<void>;
  render: () => ReactElement;
};

/**
 * A page whose code is loaded on demand. Once loaded it renders without suspending, so the first render matches
 * the server's HTML and prefetched pages do not flicker.
 */
export function definePage(
  path: string,
  module: string,
  find: () => Promise<ComponentType>,
  { isBare = false, access = "public" }: Partial<Pick<Page, "isBare" | "access">> = {},
): Page {
  let Loaded: ComponentType | undefined;
  const load = async () => {
    Loaded = await find();
  };
  const Lazy = lazy(async () => ({ default: await loadCode(find) }));
  return { path, module, isBare, access, load, render: () => createElement(Loaded ?? Lazy) };
}

import type { NormalizedCacheObject } from "@apollo/client";
import type { Assets } from "./document.tsx";

/** What the server leaves in the page for the browser to go on with. */
export type PageState = {
  assets: Assets;
  siteTitle: string;
  outage: boolean;
  cache: NormalizedCacheObject;
};

import type { NormalizedCacheObject } from "@apollo/client";
import type { Assets } from "./document.tsx";

export type PageState = {
  assets: Assets;
  siteTitle: string;
  siteUrl: string;
  outage: boolean;
  cache: NormalizedCacheObject;
};

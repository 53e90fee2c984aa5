import type { NormalizedCacheObject } from "@apollo/client";
import type { Site } from "../../lib/site.ts";
import type { Assets } from "./document.tsx";

export type PageState = {
  assets: Assets;
  site: Omit<Site, "reportStatus" | "reportPage">;
  cache: NormalizedCacheObject;
};

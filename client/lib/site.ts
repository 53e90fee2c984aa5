import { createContext, use } from "react";

type Site = {
  title: string;
  /** Whether the server could not read its data when it rendered this page. */
  outage: boolean;
  /** Sets the HTTP status of the page during server rendering. */
  reportStatus: (status: number) => void;
};

export const SiteContext = createContext<Site>({ title: "", outage: false, reportStatus: () => {} });

export const useSite = () => use(SiteContext);

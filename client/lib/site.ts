import { createContext, use } from "react";

type Site = {
  title: string;
  /** The server could not read its data when it made this page. */
  outage: boolean;
  /** Tells the server which HTTP status the page it is rendering deserves. */
  reportStatus: (status: number) => void;
};

export const SiteContext = createContext<Site>({ title: "", outage: false, reportStatus: () => {} });

export const useSite = () => use(SiteContext);

import { createContext, use } from "react";

type Site = {
  title: string;
  /** Tells the server which HTTP status the page it is rendering deserves. */
  reportStatus: (status: number) => void;
};

export const SiteContext = createContext<Site>({ title: "", reportStatus: () => {} });

export const useSite = () => use(SiteContext);

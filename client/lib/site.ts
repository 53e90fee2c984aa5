import { createContext, use } from "react";

export type PageMetadata = {
  title: string;
  description?: string | undefined;
  /** The canonical path; search engines do not list a page without one. */
  path?: string | undefined;
  /** The path that the feeds of this page are below. */
  feedsOf?: string;
  article?: ArticleFacts;
  profile?: ProfileFacts;
};

type ArticleFacts = {
  cardUrl: string;
  title: string;
  category: string;
  createdAt: string;
  updatedAt: string;
  user: { id: string; username: string };
};

type ProfileFacts = {
  username: string;
  bio?: string | null;
  createdAt: string;
  profilePhoto: { url: string };
};

export type Site = {
  title: string;
  /** The public URL, without a slash at its end. */
  url: string;
  /** Whether the server could not read its data when it rendered this page. */
  outage: boolean;
  /** Whether the server was too busy to render this page with its data, which the browser reads after hydration. */
  isPartial: boolean;
  /** Whether the document is that of pages which cannot be loaded, shown at the address of such a page. */
  offline: boolean;
  offlineReading: boolean;
  /** Whether emails leave the server's machine; if not, admins read them at /admin-dashboard/letters. */
  hasMailServer: boolean;
  /** Sets the HTTP status of the page during server rendering. */
  reportStatus: (status: number) => void;
  /** Describes the page during server rendering. */
  reportPage: (facts: PageMetadata) => void;
};

const nothing = () => undefined;

export const ignoreReports = { reportStatus: nothing, reportPage: nothing };

export const SiteContext = createContext<Site>({
  title: "",
  url: "",
  outage: false,
  isPartial: false,
  offline: false,
  offlineReading: false,
  hasMailServer: true,
  ...ignoreReports,
});

export const useSite = () => use(SiteContext);

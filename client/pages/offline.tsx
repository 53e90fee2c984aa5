import { useEffect, useState, useSyncExternalStore } from "react";
import { paths } from "../config/paths.ts";
import { listStoredPages, type StoredPage } from "../lib/offline/stored-pages.ts";
import { useSite } from "../lib/site.ts";
import { PageTitle } from "../ui/basics/page-title.tsx";
import { Button } from "../ui/forms/button.tsx";
import "./offline.css";

/** Milliseconds: a reload would cancel a navigation that has just begun. */
const PAUSE = 500;

const reload = () => location.reload();

const neverChanges = () => () => {};
const isOpenedOnline = () => location.pathname === paths.offline && navigator.onLine;

/** Shown at the address of a page that cannot be loaded and was not read before; loads it when the network is back. */
export function OfflinePage() {
  // Also the page of its own address, which people may open online.
  const isOnline = useSyncExternalStore(neverChanges, isOpenedOnline, () => false);
  useEffect(() => {
    const retry = () => setTimeout(() => navigator.onLine && reload(), PAUSE);
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  }, []);
  return (
    <section className="missing">
      <PageTitle name={isOnline ? "Read offline" : "You are offline"} />
      <h1>{isOnline ? "Read offline" : "You are offline"}</h1>
      {isOnline ? (
        <p>This browser keeps the last 30 pages that you read, for times without a connection.</p>
      ) : (
        <>
          <p>This page was not read in this browser before. It appears as soon as you are back online.</p>
          <Button type="button" variant="quiet" onClick={reload}>
            Try again
          </Button>
        </>
      )}
      <ReadPages />
    </section>
  );
}

function ReadPages() {
  const { title: siteTitle } = useSite();
  const [pages, setPages] = useState<StoredPage[]>([]);
  useEffect(() => void listStoredPages().then(setPages), []);
  if (pages.length === 0) return null;
  return (
    <nav className="read-pages" aria-labelledby="read-pages">
      <h2 id="read-pages">You can read</h2>
      <ul>
        {pages.map(({ path, title }) => (
          <li key={path}>
            <a href={path}>{title.replace(` · ${siteTitle}`, "")}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

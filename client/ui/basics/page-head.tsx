import { PageTitle } from "./page-title.tsx";
import "./columns.css";

/** The title of a page, in its tab and at its top. */
export const PageHead = ({ title }: { title: string }) => (
  <header className="page-head">
    <PageTitle name={title} />
    <h1>{title}</h1>
  </header>
);

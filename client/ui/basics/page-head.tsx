import { PageTitle } from "./page-title.tsx";
import "./columns.css";

export const PageHead = ({ title }: { title: string }) => (
  <header className="page-head">
    <PageTitle name={title} />
    <h1>{title}</h1>
  </header>
);

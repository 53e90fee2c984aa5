import { useEffect } from "react";
import { Link } from "react-router-dom";
import { useSite } from "../../lib/site.ts";
import { toast } from "../../lib/toast.ts";
import { PageTitle } from "../basics/page-title.tsx";
import "./not-found.css";

/** Responds with status 404; `message` is the server's reason. */
export function NotFound({ message }: { message?: string }) {
  useSite().reportStatus(404);
  useEffect(() => {
    if (message) toast.error(message);
  }, [message]);
  return (
    <section className="missing">
      <PageTitle name="Page Not Found" />
      <p className="figure" aria-hidden="true">
        404
      </p>
      <h1>Page Not Found</h1>
      <Link to="/">Go to home page</Link>
    </section>
  );
}

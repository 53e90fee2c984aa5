import { Button } from "../forms/button.tsx";
import { PageTitle } from "../basics/page-title.tsx";
import "./not-found.css";

/** The page shown with status 503 while the blog cannot read its data. */
export const Outage = () => (
  <section className="missing" role="alert">
    <PageTitle name="Back in a moment" />
    <p className="figure" aria-hidden="true">
      503
    </p>
    <h1>Back in a moment</h1>
    <p>The blog cannot reach its posts just now. Nothing is lost; please try again shortly.</p>
    <Button type="button" variant="quiet" onClick={() => location.reload()}>
      Try again
    </Button>
  </section>
);

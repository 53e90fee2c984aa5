import type { SubmitEvent } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { SearchIcon } from "../../ui/basics/icons.tsx";
import { Button } from "../../ui/forms/button.tsx";
import "../../ui/forms/field.css";
import "../../ui/forms/search-field.css";
import { searchPath } from "./search-path.ts";
import "./search-form.css";
import { maxLengths } from "../../config/limits.ts";

/** A form of plain HTML, which works without scripts; with them it changes the page in place. */
export function SearchForm({ query }: { query: string }) {
  const navigate = useNavigate();
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = new FormData(event.currentTarget).get("q");
    void navigate(searchPath(typeof text === "string" ? text.trim() : ""));
  };
  return (
    <form role="search" action={paths.search} className="search-form" onSubmit={onSubmit}>
      <div className="search-field">
        <SearchIcon />
        <input
          key={query}
          className="input"
          type="search"
          name="q"
          aria-label="Search posts, authors and categories"
          maxLength={maxLengths.query}
          defaultValue={query}
          autoComplete="off"
        />
      </div>
      {/* Works before hydration too: the form is harmless in a URL. */}
      <Button disabled={false}>Search</Button>
    </form>
  );
}

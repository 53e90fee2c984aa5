import { useQuery } from "@apollo/client/react";
import { Link, useSearchParams } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { SearchForm } from "../features/search/search-form.tsx";
import { SearchResult } from "../features/search/search-result.tsx";
import { SearchPageDocument, type SearchPageQuery } from "../generated/search/graphql.ts";
import { fieldErrorsOf } from "../lib/forms/error-message.ts";
import { parsePage } from "../lib/parse-page.ts";
import "../ui/basics/columns.css";
import { PageTitle } from "../ui/basics/page-title.tsx";
import { Pager } from "../ui/data/pager.tsx";
import { ErrorNotice } from "../ui/feedback/error-notice.tsx";
import { searchPath } from "../features/search/search-path.ts";
import "./search.css";
import { maxLengths } from "../config/limits.ts";

export function SearchPage() {
  const [params] = useSearchParams();
  const query = (params.get("q") ?? "").trim().slice(0, maxLengths.query);
  const page = parsePage(params.get("page"));
  return (
    <div className="search-page">
      {/* Without a path, search engines do not list the page. */}
      <PageTitle
        name={query ? `Search: ${query}` : "Search"}
        description={query ? `What the search finds for “${query}”.` : "Search posts, people and categories."}
      />
      <header className="page-head">
        <h1>Search</h1>
        <SearchForm query={query} />
        {!query && <Hints />}
      </header>
      {query && <Results query={query} page={page} />}
    </div>
  );
}

function Results({ query, page }: { query: string; page: number }) {
  const { data, error, refetch } = useQuery(SearchPageDocument, { variables: { query, page } });
  if (error && !data)
    return fieldErrorsOf(error)["query"] ? (
      <Hints />
    ) : (
      <ErrorNotice error={error} retry={() => void refetch()} />
    );
  if (!data) return <p className="meta" aria-busy="true">{`Searching for “${query}” …`}</p>;
  const { edges, pages } = data.search;
  return (
    <section aria-labelledby="results">
      <h2 id="results">
        <Summary query={query} found={data.search} />
      </h2>
      {edges.map((result, index) => (
        <SearchResult key={result.cursor} result={result} eager={index === 0} />
      ))}
      {edges.length === 0 && <Nothing />}
      <Pager page={page} pages={pages} pathOf={(each) => searchPath(query, each)} />
    </section>
  );
}

function Summary({ query, found }: { query: string; found: SearchPageQuery["search"] }) {
  const { totalCount, isTotalExact, isNearest } = found;
  const quoted = (
    <>
      “<bdi>{query}</bdi>”
    </>
  );
  if (totalCount === 0) return <>Nothing found for {quoted}</>;
  if (isNearest) return <>Nothing has all of {quoted}. The nearest:</>;
  const count = totalCount.toLocaleString("en");
  return (
    <>
      {isTotalExact ? count : `More than ${count}`} {totalCount === 1 ? "result" : "results"} for {quoted}
    </>
  );
}

const Nothing = () => (
  <div className="notice">
    <p>
      Titles, texts, categories, tags and authors were searched, and names that are spelt alike. Try fewer or
      other words.
    </p>
    <Link to={paths.posts}>See all posts</Link>
  </div>
);

const Hints = () => (
  <p className="meta hints">
    Type one word or several. <code>"two words"</code> finds a phrase, <code>-word</code> leaves out,{" "}
    <code>author:</code>, <code>category:</code> and <code>tag:</code> with a name narrow down.
  </p>
);

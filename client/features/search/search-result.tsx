import { Link } from "react-router-dom";
import { categoryPath, postPath, profilePath, tagPath } from "../../config/paths.ts";
import type { SearchResultFragment } from "../../generated/search/graphql.ts";
import { Avatar } from "../../ui/basics/avatar.tsx";
import { Picture } from "../../ui/basics/picture.tsx";
import { ReadingTime, ShortDate } from "../../ui/data/time.tsx";
import { HighlightedText } from "./highlighted-text.tsx";
import "./search-result.css";

type Result = SearchResultFragment;
type Kind<Name extends Result["node"]["__typename"]> = Extract<Result["node"], { __typename: Name }>;

// Must match the style sheet.
const sizes = "(width < 46rem) 6rem, 9rem";

export function SearchResult({ result, eager }: { result: Result; eager: boolean }) {
  const { node } = result;
  if (node.__typename === "Post") return <PostResult result={result} post={node} eager={eager} />;
  if (node.__typename === "Profile") return <PersonResult result={result} person={node} />;
  const path = node.__typename === "Tag" ? tagPath(node.name) : categoryPath(node.title);
  return <GroupResult result={result} group={node} path={path} />;
}

type PostProps = { result: Result; post: Kind<"Post">; eager: boolean };

const PostResult = ({ result, post, eager }: PostProps) => (
  <article className="search-result">
    <div className="words">
      <Link to={categoryPath(post.category)} className="eyebrow" dir="auto">
        {post.category}
      </Link>
      <h3 dir="auto">
        <Link to={postPath(post.id)}>
          <HighlightedText parts={result.title} />
        </Link>
      </h3>
      <p className="excerpt" dir="auto">
        <HighlightedText parts={result.excerpt} />
      </p>
      <p className="meta">
        <Link to={profilePath(post.user.id)} dir="auto">
          {post.user.username}
        </Link>
        {"\u00a0· "}
        <ShortDate iso={post.createdAt} />
        {"\u00a0· "}
        <ReadingTime minutes={post.readingMinutes} />
      </p>
    </div>
    <Link to={postPath(post.id)} className="cover" tabIndex={-1} aria-hidden="true">
      <Picture image={post.image} sizes={sizes} eager={eager} decorative />
    </Link>
  </article>
);

const PersonResult = ({ result, person }: { result: Result; person: Kind<"Profile"> }) => (
  <article className="search-result">
    <div className="words">
      <p className="meta">Author</p>
      <h3 dir="auto">
        <Link to={profilePath(person.id)}>
          <HighlightedText parts={result.title} />
        </Link>
      </h3>
      <p className="excerpt" dir="auto">
        <HighlightedText parts={result.excerpt} />
      </p>
    </div>
    <Avatar url={person.profilePhoto.url} srcset={person.profilePhoto.srcset} size="medium" />
  </article>
);

type GroupProps = { result: Result; group: Kind<"Category" | "Tag">; path: string };

const GroupResult = ({ result, group, path }: GroupProps) => (
  <article className="search-result">
    <div className="words">
      <p className="meta">{group.__typename}</p>
      <h3 dir="auto">
        <Link to={path}>
          <HighlightedText parts={result.title} />
        </Link>
      </h3>
      <p className="meta">
        {group.postCount} {group.postCount === 1 ? "post" : "posts"}
      </p>
    </div>
  </article>
);

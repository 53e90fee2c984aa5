import { Link } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import type { DailyCountsFragment } from "../../generated/admin/graphql.ts";
import { Sparkline } from "../../ui/data/sparkline.tsx";

const cards = [
  { noun: "users", label: "Users", to: paths.usersTable },
  { noun: "posts", label: "Posts", to: paths.postsTable },
  { noun: "categories", label: "Categories", to: paths.categoriesTable },
  { noun: "comments", label: "Comments", to: paths.commentsTable },
] as const;

type Counts = Record<(typeof cards)[number]["noun"], number>;

export const CountCards = ({ counts, days }: { counts?: Counts; days?: DailyCountsFragment[] }) => (
  <ul className="count-cards" aria-busy={!counts}>
    {cards.map(({ noun, label, to }) => (
      <li key={noun}>
        <h2>{label}</h2>
        <p className="figure">{counts?.[noun].toLocaleString("en") ?? <span className="skeleton" />}</p>
        <Course values={days?.map((day) => day[noun])} />
        <Link to={to}>See all {noun}</Link>
      </li>
    ))}
  </ul>
);

const Course = ({ values }: { values?: number[] }) => (
  <div className="course">
    {values && (
      <>
        <Sparkline values={values} />
        <p className="meta">
          {values.reduce((sum, each) => sum + each, 0).toLocaleString("en")} new in {values.length} days
        </p>
      </>
    )}
  </div>
);

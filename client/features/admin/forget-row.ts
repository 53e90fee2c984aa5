import type { ApolloCache } from "@apollo/client";

/** What is deleted in tables, and the fields of the root that count it. */
const countedBy = {
  User: ["users", "usersCount"],
  Post: ["posts", "postsCount"],
  Category: ["categoriesCount"],
  Comment: ["comments"],
};

export type Typename = keyof typeof countedBy;

/** Takes a deleted row out of every list that is known, and one off its counts. */
export function evictRow(cache: ApolloCache, typename: Typename, id: string): void {
  cache.evict({ id: cache.identify({ __typename: typename, id }) });
  cache.modify<Record<string, unknown>>({
    fields: Object.fromEntries(countedBy[typename].map((field) => [field, oneLess])),
  });
  cache.gc();
}

/** A count, or a list that may know how many it has in all. */
function oneLess(counted: unknown): unknown {
  if (typeof counted === "number") return counted - 1;
  const { totalCount } = counted as { totalCount?: number };
  return totalCount === undefined ? counted : { ...(counted as object), totalCount: totalCount - 1 };
}

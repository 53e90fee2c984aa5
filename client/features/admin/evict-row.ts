import type { ApolloCache } from "@apollo/client";

const countedBy = {
  User: ["users", "usersCount"],
  Post: ["posts", "postsCount"],
  Category: ["categoriesCount"],
  Comment: ["comments"],
};

export type Typename = keyof typeof countedBy;

/** Removes a deleted row from every cached list and subtracts it from the cached counts. */
export function evictRow(cache: ApolloCache, typename: Typename, id: string): void {
  cache.evict({ id: cache.identify({ __typename: typename, id }) });
  cache.modify<Record<string, unknown>>({
    fields: Object.fromEntries(countedBy[typename].map((field) => [field, oneLess])),
  });
  cache.gc();
}

/** Decrements a count or a connection's `totalCount`, which may not have been queried. */
function oneLess(counted: unknown): unknown {
  if (typeof counted === "number") return counted - 1;
  const { totalCount } = counted as { totalCount?: number };
  return totalCount === undefined ? counted : { ...(counted as object), totalCount: totalCount - 1 };
}

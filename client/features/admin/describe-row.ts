import type { ApolloCache } from "@apollo/client";
import {
  CategoryNameFragmentDoc,
  CommentNameFragmentDoc,
  PostNameFragmentDoc,
  UserNameFragmentDoc,
} from "../../generated/admin/graphql.ts";
import type { Typename } from "./evict-row.ts";

/** Names a row for the confirmation of its deletion, and says what happens to the posts of a category. */
export function describeRow(
  cache: ApolloCache,
  typename: Typename,
  rowId: string,
): { subject?: string; consequence?: string } {
  const id = cache.identify({ __typename: typename, id: rowId });
  switch (typename) {
    case "User":
      return { subject: cache.readFragment({ id, fragment: UserNameFragmentDoc })?.username };
    case "Post":
      return { subject: cache.readFragment({ id, fragment: PostNameFragmentDoc })?.title };
    case "Comment":
      return { subject: cache.readFragment({ id, fragment: CommentNameFragmentDoc })?.text };
    case "Category": {
      const category = cache.readFragment({ id, fragment: CategoryNameFragmentDoc });
      return { subject: category?.title, consequence: consequenceOf(category?.postCount ?? 0) };
    }
  }
}

const consequenceOf = (posts: number): string | undefined => {
  if (posts === 0) return undefined;
  return posts === 1 ? "1 post keeps the name." : `${posts.toLocaleString("en")} posts keep the name.`;
};

import type { Queries } from "../server/domain/ports.ts";

/**
 * Where a query runs when everything of a post is stored with its author, everything private with its account, and
 * categories, tags and accounts on every node.
 */
export const TARGETS = {
  local: "any node has it",
  account: "one node, that of the account, which the query names",
  author: "one node for each author, once the query names the author beside the post",
  all: "every node; the results are merged",
} as const;

export type Target = keyof typeof TARGETS;

/** A new query without an entry does not compile. */
export const queryTargets: Record<keyof Queries, Target> = {
  posts: "all",
  postsById: "author",
  postsOf: "author",
  postsIn: "all",
  countPosts: "all",
  postTimes: "all",
  textBytes: "author",
  countPostsIn: "all",
  countPostsOf: "author",
  profiles: "account",
  categories: "local",
  categoriesById: "local",
  relatedIds: "author",
  neighbourIds: "author",
  tagByKey: "local",
  tagsById: "local",
  tagNames: "all",
  countPostsWithTags: "all",
  postHtml: "author",
  computed: "author",
  comments: "author",
  commentsById: "author",
  revisions: "author",
  countRevisions: "author",
  session: "all",
  activeSessions: "account",
  hasResetToken: "account",
  emailsById: "all",
  draft: "account",
  drafts: "account",
  preview: "all",
  previewTokens: "account",
  countDrafts: "account",
  uploads: "author",
  listKeys: "all",
  countList: "all",
  search: "all",
  unindexedPosts: "all",
  dailyCounts: "all",
  dueDrafts: "all",
  unrenderedPosts: "all",
  outdatedHtml: "all",
  likedBy: "author",
  likes: "author",
  bookmarkedBy: "account",
  bookmarks: "account",
  countBookmarks: "account",
  followedBy: "account",
  followedPosts: "all",
  countFollowedPosts: "all",
  horizon: "all",
  deletions: "all",
  countDeletions: "all",
  nodeTypes: "all",
};

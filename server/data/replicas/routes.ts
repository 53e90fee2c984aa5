import type { Queries } from "../../domain/ports.ts";
import type { ListName } from "../../domain/post-selection.ts";

type Target = "primary" | "replica";

const ofList = ({ list }: { list: ListName }): Target =>
  list === "users" || list === "emails" ? "primary" : "replica";

type QueryTargets = { [Name in keyof Queries]: Target | ((...args: Parameters<Queries[Name]>) => Target) };

/**
 * The server that may answer a query of a read. The primary answers queries for data of owners and admins, for jobs, and
 * for data that must not be stale, such as sessions; also `horizon` and all queries after it.
 */
export const targetOf: QueryTargets = {
  posts: "replica",
  postsById: "replica",
  postsOf: "replica",
  postsIn: "replica",
  countPosts: "replica",
  countPostsIn: "replica",
  countPostsOf: "replica",
  postTimes: "replica",
  textBytes: "replica",
  postHtml: "replica",
  profiles: "replica",
  categories: "replica",
  categoriesById: "replica",
  relatedIds: "replica",
  neighbourIds: "replica",
  tagByKey: "replica",
  tagsById: "replica",
  tagNames: "replica",
  countPostsWithTags: "replica",
  computed: "replica",
  comments: "replica",
  commentsById: "replica",
  likedBy: "replica",
  likes: "replica",
  nodeTypes: "replica",
  search: "replica",
  listKeys: ofList,
  countList: ofList,
  // Marks and lists of an account within pages of posts. Reads of accounts see all that was written before them.
  bookmarkedBy: "replica",
  bookmarks: "replica",
  countBookmarks: "replica",
  followedBy: "replica",
  followedPosts: "replica",
  countFollowedPosts: "replica",
  revisions: "primary",
  countRevisions: "primary",
  session: "primary",
  activeSessions: "primary",
  hasResetToken: "primary",
  emailsById: "primary",
  draft: "primary",
  drafts: "primary",
  countDrafts: "primary",
  preview: "primary",
  previewTokens: "primary",
  uploads: "primary",
  horizon: "primary",
  deletions: "primary",
  countDeletions: "primary",
  unindexedPosts: "primary",
  dailyCounts: "primary",
  dueDrafts: "primary",
  unrenderedPosts: "primary",
  outdatedHtml: "primary",
};

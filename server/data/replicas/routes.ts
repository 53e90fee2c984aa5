import type { Queries } from "../../domain/ports.ts";
import type { ListName } from "../../domain/post-selection.ts";

type Target = "primary" | "replica";

const ofList = ({ list }: { list: ListName }): Target =>
  list === "users" || list === "emails" ? "primary" : "replica";

type QueryTargets = { [Name in keyof Queries]: Target | ((...args: Parameters<Queries[Name]>) => Target) };

/**
 * Which server may answer a query of a read. What only its owner or an admin sees, what jobs read and what must not be
 * a moment old, such as sessions, is read on the primary, and so is `horizon` with all that follows it.
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

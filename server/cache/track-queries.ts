import type { CacheTag, Queries } from "../domain/ports.ts";
import type { DependencyTracker } from "./cached-response.ts";
import { reactionFields, type Neighbours, type Post, type PostSelection } from "../domain/post-selection.ts";

/** Beyond this, a response depends on everything, so that a list of any length is streamed in constant memory. */
const MAX_TAGS = 1_000;

function addTag({ tags }: DependencyTracker, tag: CacheTag): void {
  if (tags.has("*")) return;
  const isEverything = tag === "*" || tags.size === MAX_TAGS;
  if (isEverything) tags.clear();
  tags.add(isEverything ? "*" : tag);
}

const kindOf = (selection: PostSelection): "post" | "content" =>
  selection.comments || reactionFields.some((field) => selection[field]) ? "post" : "content";

/**
 * The same queries, recording the dependencies of each response. The type makes every query declare them: either its tags, or by
 * `excludedQueries` that its response is never cached, since tags cannot cover its dependencies.
 */
export function trackQueries(queries: Queries, tracker: DependencyTracker): Queries {
  const track = (tag: CacheTag) => addTag(tracker, tag);
  const posts = trackPosts(track);
  const exclude = () => void (tracker.isTraceable = false);
  const each = (
    kind: "post" | "content" | "html" | "comments" | "user" | "author",
    ids: Iterable<string>,
  ) => {
    for (const id of ids) track(`${kind}:${id}`);
  };
  const neighbours = (found: Map<string, Neighbours>) => {
    for (const { authorId } of found.values()) track(`author:${authorId}`);
    return found;
  };
  return {
    posts: (filter, slice, selection) => (
      track(filter.updatedAfter ? "*" : "posts"),
      queries.posts(filter, slice, selection).then(posts(selection))
    ),
    postsOf: (ids, slice, selection) => (
      each("author", ids),
      queries.postsOf(ids, slice, selection).then(posts(selection))
    ),
    postsIn: (titles, slice, selection) => (
      track("posts"),
      queries.postsIn(titles, slice, selection).then(posts(selection))
    ),
    postsById: (ids, selection) => (
      each(kindOf(selection), ids),
      queries.postsById(ids, selection).then(posts(selection))
    ),
    countPosts: (filter) => (track(filter.updatedAfter ? "*" : "posts"), queries.countPosts(filter)),
    countPostsIn: (titles) => (track("posts"), queries.countPostsIn(titles)),
    countPostsOf: (ids) => (each("author", ids), queries.countPostsOf(ids)),
    profiles: (ids) => (each("user", ids), queries.profiles(ids)),
    categories: () => (track("categories"), queries.categories()),
    categoriesById: (ids) => (track("categories"), queries.categoriesById(ids)),
    relatedIds: (ids, take) => (each("post", ids), queries.relatedIds(ids, take)),
    neighbourIds: (ids) => (each("content", ids), queries.neighbourIds(ids).then(neighbours)),
    tagByKey: (key) => (track("posts"), queries.tagByKey(key)),
    tagsById: (ids) => (track("posts"), queries.tagsById(ids)),
    tagNames: (take) => (track("posts"), queries.tagNames(take)),
    countPostsWithTags: (ids) => (track("posts"), queries.countPostsWithTags(ids)),
    textBytes: (ids) => (each("content", ids), queries.textBytes(ids)),
    postHtml: (ids, check) => (each("content", ids), each("html", ids), queries.postHtml(ids, check)),
    computed: (field, ids) => (each(kindOf({ [field]: true }), ids), queries.computed(field, ids)),
    comments: (ids, slice) => (each("post", ids), each("comments", ids), queries.comments(ids, slice)),
    session: queries.session,
    ...excludedQueries(queries, exclude),
    listKeys(selection, order, slice) {
      // A job indexes some posts for the search later, which no tag names.
      if (selection.list === "posts" && selection.search === null) track("*");
      else exclude();
      return queries.listKeys(selection, order, slice);
    },
    likedBy: (userId, ids) => (each("post", ids), queries.likedBy(userId, ids)),
    likes: (ids, slice) => (each("post", ids), queries.likes(ids, slice)),
  };
}

/** @returns records of what the posts that a selection has found depend on, besides their number and order */
function trackPosts(track: (tag: CacheTag) => void) {
  const trackAuthor = (detail: PostSelection["author"], id: string) => {
    if (detail) track(`${detail === "full" ? "user" : "byline"}:${id}`);
  };
  return (selection: PostSelection) =>
    <P extends Post>(found: P[]): P[] => {
      const kind = kindOf(selection);
      for (const { id, userId, comments = [] } of found) {
        track(`${kind}:${id}`);
        if (selection.html) track(`html:${id}`);
        if (selection.comments) track(`comments:${id}`);
        trackAuthor(selection.author, userId);
        for (const comment of comments) trackAuthor(selection.comments?.author, comment.userId);
      }
      return found;
    };
}

const excludedQueries = (queries: Queries, exclude: () => void) =>
  ({
    postTimes: (...query) => (exclude(), queries.postTimes(...query)),
    commentsById: (ids) => (exclude(), queries.commentsById(ids)),
    bookmarkedBy: (...query) => (exclude(), queries.bookmarkedBy(...query)),
    bookmarks: (...query) => (exclude(), queries.bookmarks(...query)),
    countBookmarks: (userId) => (exclude(), queries.countBookmarks(userId)),
    followedBy: (userId) => (exclude(), queries.followedBy(userId)),
    followedPosts: (...query) => (exclude(), queries.followedPosts(...query)),
    countFollowedPosts: (userId) => (exclude(), queries.countFollowedPosts(userId)),
    revisions: (...query) => (exclude(), queries.revisions(...query)),
    activeSessions: (...query) => (exclude(), queries.activeSessions(...query)),
    hasResetToken: (...query) => (exclude(), queries.hasResetToken(...query)),
    draft: (...query) => (exclude(), queries.draft(...query)),
    drafts: (...query) => (exclude(), queries.drafts(...query)),
    countDrafts: (userId) => (exclude(), queries.countDrafts(userId)),
    preview: (token) => (exclude(), queries.preview(token)),
    previewTokens: (ids) => (exclude(), queries.previewTokens(ids)),
    countRevisions: (ids) => (exclude(), queries.countRevisions(ids)),
    uploads: (ids) => (exclude(), queries.uploads(ids)),
    emailsById: (ids) => (exclude(), queries.emailsById(ids)),
    nodeTypes: (ids) => (exclude(), queries.nodeTypes(ids)),
    horizon: (list) => (exclude(), queries.horizon(list)),
    deletions: (...query) => (exclude(), queries.deletions(...query)),
    countDeletions: (since) => (exclude(), queries.countDeletions(since)),
    countList: (selection) => (exclude(), queries.countList(selection)),
    search: (...query) => (exclude(), queries.search(...query)),
    unindexedPosts: (...query) => (exclude(), queries.unindexedPosts(...query)),
    dailyCounts: (days) => (exclude(), queries.dailyCounts(days)),
    dueDrafts: (...query) => (exclude(), queries.dueDrafts(...query)),
    unrenderedPosts: (take, after) => (exclude(), queries.unrenderedPosts(take, after)),
    outdatedHtml: (...query) => (exclude(), queries.outdatedHtml(...query)),
  }) satisfies Partial<Queries>;

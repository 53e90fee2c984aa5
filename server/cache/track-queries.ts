import type { Tag, Queries } from "../domain/ports.ts";
import type { Post } from "../domain/post-selection.ts";

/**
 * The same queries, recording what each response depends on. The mapped type makes every query declare it.
 * @param note records a dependency
 * @param exclude marks the response as never cached: for queries that depend on more than tags can name
 */
export function trackQueries(queries: Queries, note: (tag: Tag) => void, exclude: () => void): Queries {
  const each = (kind: "post" | "user", ids: Iterable<string>) => {
    for (const id of ids) note(`${kind}:${id}`);
  };
  const posts = <P extends Post>(found: P[]): P[] => {
    for (const { id, userId, comments = [] } of found) {
      note(`post:${id}`);
      note(`user:${userId}`);
      for (const comment of comments) note(`user:${comment.userId}`);
    }
    return found;
  };
  return {
    posts: (filter, slice, wanted) => (note("posts"), queries.posts(filter, slice, wanted).then(posts)),
    postsOf: (ids, slice, wanted) => (note("posts"), queries.postsOf(ids, slice, wanted).then(posts)),
    postsById: (ids, wanted) => (each("post", ids), queries.postsById(ids, wanted).then(posts)),
    countPosts: (filter) => (note("posts"), queries.countPosts(filter)),
    countPostsIn: (titles) => (note("posts"), queries.countPostsIn(titles)),
    countPostsOf: (ids) => (note("posts"), queries.countPostsOf(ids)),
    profiles: (ids) => (each("user", ids), queries.profiles(ids)),
    categories: () => (note("categories"), queries.categories()),
    postHtml: (ids) => (each("post", ids), queries.postHtml(ids)),
    computed: (field, ids) => (each("post", ids), queries.computed(field, ids)),
    comments: (ids, slice) => (each("post", ids), queries.comments(ids, slice)),
    session: queries.session,
    likedBy: (userId, ids) => (each("post", ids), queries.likedBy(userId, ids)),
    listKeys: (...query) => (exclude(), queries.listKeys(...query)),
    countList: (selection) => (exclude(), queries.countList(selection)),
    dailyCounts: (since) => (exclude(), queries.dailyCounts(since)),
    outdatedHtml: (...query) => (exclude(), queries.outdatedHtml(...query)),
  };
}

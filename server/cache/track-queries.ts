import type { Tag, Reads } from "../domain/ports.ts";
import type { Post } from "../domain/post-selection.ts";

/** The same reads, noting what each answer was read from. */
export function noteReads(reads: Reads, note: (tag: Tag) => void): Reads {
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
    posts: (filter, slice, wanted) => (note("posts"), reads.posts(filter, slice, wanted).then(posts)),
    postsOf: (ids, slice, wanted) => (note("posts"), reads.postsOf(ids, slice, wanted).then(posts)),
    postsById: (ids, wanted) => (each("post", ids), reads.postsById(ids, wanted).then(posts)),
    countPosts: (filter) => (note("posts"), reads.countPosts(filter)),
    countPostsIn: (titles) => (note("posts"), reads.countPostsIn(titles)),
    countPostsOf: (ids) => (note("posts"), reads.countPostsOf(ids)),
    profiles: (ids) => (each("user", ids), reads.profiles(ids)),
    categories: () => (note("categories"), reads.categories()),
    postHtml: (ids) => (each("post", ids), reads.postHtml(ids)),
    likers: (ids) => (each("post", ids), reads.likers(ids)),
    likeCounts: (ids) => (each("post", ids), reads.likeCounts(ids)),
    comments: (ids, slice) => (each("post", ids), reads.comments(ids, slice)),
    session: reads.session,
    likedBy: (userId, ids) => (each("post", ids), reads.likedBy(userId, ids)),
    commentCounts: (ids) => (each("post", ids), reads.commentCounts(ids)),
  };
}

import * as changes from "../domain/posts/post-changes.ts";
import * as posts from "../domain/posts/posts.ts";
import { queueDetails } from "./endpoint/details-queue.ts";
import { MAX_BUFFERED_ROWS, parseQuery, sendPage, connectionArgsOf } from "./endpoint/pages.ts";
import { linkPages } from "./endpoint/links.ts";
import { withForm } from "./endpoint/multipart.ts";
import * as operations from "./posts.operations.ts";
import {
  postListFields,
  presentChangedPost,
  presentFullPost,
  presentPost,
  presentPostAndFiles,
  presentPostOfUser,
  fullPostFields,
} from "./present.ts";
import type { Row } from "../domain/lists/connections.ts";
import type { PostPayload } from "../domain/post-selection.ts";
import type { RestCall, Route } from "./endpoint/routes.ts";
import { streamArray } from "./endpoint/streams.ts";

export function postRoutes(route: Route): void {
  route("GET", "/posts", operations.listPosts, listPosts);
  route("GET", "/posts/count", operations.countPosts, ({ ctx }) => posts.countPosts(ctx));
  route("GET", "/posts/:id", operations.readPost, ({ ctx, id }) =>
    queueDetails(async () => presentFullPost(ctx, await posts.readPost(ctx, id, fullPostFields)), ctx.origin),
  );
  route("POST", "/posts", operations.createPost, async ({ ctx, request }) =>
    presentPostOfUser(ctx, await withForm(request, ctx, (form) => changes.createPost(ctx, form)), []),
  );
  route("PUT", "/posts/:id", operations.updatePost, async ({ ctx, id, body }) =>
    presentFullPost(ctx, await changes.updatePost(ctx, id, body, fullPostFields)),
  );
  route("PUT", "/posts/update-image/:id", operations.updatePostImage, async ({ ctx, id, request }) =>
    presentChangedPost(ctx, await withForm(request, ctx, (form) => changes.updatePostImage(ctx, id, form))),
  );
  route("DELETE", "/posts/:id", operations.deletePost, async ({ ctx, id }) => {
    const { id: postId, message } = await changes.deletePost(ctx, id);
    return { message, postId };
  });
}

const BY_CHANGE = { field: "updatedAt", direction: "asc" } as const;

type Listed = PostPayload<typeof postListFields>;

async function listPosts({ ctx, query, reply }: RestCall<"read">) {
  const { pageNumber, category, search, updatedAfter, variants, ...page } = parseQuery(
    operations.postsQuery,
    query,
  );
  const pageArgs = connectionArgsOf(page) ?? (search || updatedAfter ? { first: 100 } : null);
  const presentOne = variants ? presentPostAndFiles : presentPost;
  const present = (chunk: Listed[]) => chunk.map((post) => presentOne(ctx, post));
  if (pageNumber === undefined && pageArgs) {
    const filter = { category, search, updatedAfter: updatedAfter ? new Date(updatedAfter) : null };
    const orderBy = updatedAfter ? BY_CHANGE : null;
    const page = await posts.readPosts(ctx, { ...filter, orderBy }, pageArgs, {});
    const load = (rows: Row[]) => posts.readPostGroups(ctx, rows, postListFields);
    const address = `${ctx.siteUrl}/api/posts`;
    const send = () => sendPage(page, { address, query, reply, load, present });
    return page.nodes.length > MAX_BUFFERED_ROWS ? send() : queueDetails(send, ctx.origin);
  }
  if (pageNumber === undefined) {
    const chunks = posts.readAllPosts(ctx, { category }, postListFields);
    reply.header("x-total-count", await posts.countPosts(ctx, { category }));
    return streamArray(chunks, present);
  }
  // Larger numbers may exceed the range of OFFSET; such pages are empty anyway.
  const number = Math.min(Number(pageNumber), 1_000_000);
  const { nodes, pageSize, countAll } = await posts.readPosts(ctx, {}, { page: number }, postListFields);
  const total = await countAll();
  reply.header("x-total-count", total);
  reply.header("link", linkPages(`${ctx.siteUrl}/api/posts`, number, Math.ceil(total / pageSize)));
  return present(nodes);
}

// Reads the comments of the newest post with relay-runtime, two at a time, into one connection of the store. The documents are in
// relay/documents.ts; in an application with React, the Babel plugin puts what relay-compiler makes of them in their place.

import * as runtime from "relay-runtime";
import moreComments, {
  type documentsMoreCommentsQuery,
} from "./relay/__generated__/documentsMoreCommentsQuery.graphql.ts";
import newest, { type documentsNewestQuery } from "./relay/__generated__/documentsNewestQuery.graphql.ts";
import post, { type documentsPostQuery } from "./relay/__generated__/documentsPostQuery.graphql.ts";
import comments, { type documents_comments$data } from "./relay/__generated__/documents_comments.graphql.ts";

// A CommonJS module, which Node and bundlers import in different ways.
const relay = (runtime as unknown as { default?: typeof runtime }).default ?? runtime;

const url = `${process.env["BLOG_URL"] ?? "http://localhost:4000"}/graphql`;

const network = relay.Network.create(async ({ text }, variables) => {
  const headers = { "content-type": "application/json" };
  return (
    await fetch(url, { method: "POST", headers, body: JSON.stringify({ query: text, variables }) })
  ).json();
});
const environment = new relay.Environment({ network, store: new relay.Store(new relay.RecordSource()) });

const page = await relay.fetchQuery<documentsNewestQuery>(environment, newest, {}).toPromise();
const [latest] = page?.posts.nodes ?? [];
if (!latest) throw new Error("the blog has no posts");

const variables = { id: latest.id, count: 2 };
// The store removes objects that are not retained.
environment.retain(relay.createOperationDescriptor(relay.getRequest(post), variables));
const shown = await relay.fetchQuery<documentsPostQuery>(environment, post, variables).toPromise();
const selector = relay.getSingularSelector(comments, shown?.post);
if (!shown?.post || !selector) throw new Error("the post is gone");
// Relay adds `pageInfo` to a connection, and leaves it out of the types.
type Comments = documents_comments$data["comments"] & {
  pageInfo: { endCursor: string; hasNextPage: boolean };
};
const read = () => (environment.lookup(selector).data as unknown as { comments: Comments }).comments;

for (let { pageInfo } = read(); pageInfo.hasNextPage; { pageInfo } = read()) {
  const more = { ...variables, cursor: pageInfo.endCursor };
  await relay.fetchQuery<documentsMoreCommentsQuery>(environment, moreComments, more).toPromise();
}

console.log(`${shown.post.title}: ${read().edges.length} comments`);
for (const { node } of read().edges) console.log(`${node.user.username}: ${node.text}`);

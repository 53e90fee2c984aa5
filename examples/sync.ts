// Keeps a copy of all posts: first everything, then again and again what has changed and what is gone. Nothing is missed beside
// concurrent writers, because both lists are read from the oldest to the newest, and each poll continues behind the last cursor.

const url = `${process.env["BLOG_URL"] ?? "http://localhost:4000"}/graphql`;
const polls = Number(process.env["POLLS"] ?? Infinity);

type Post = { id: string; title: string; updatedAt: string };
type Page<T> = { nodes: T[]; pageInfo: { endCursor: string | null; hasNextPage: boolean } };

async function ask<T>(query: string, variables: object): Promise<T> {
  const headers = { "content-type": "application/json", accept: "application/graphql-response+json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ query, variables }) });
  const { data, errors } = (await response.json()) as { data?: T; errors?: { message: string }[] };
  if (!data || errors) throw new Error(errors?.[0]?.message ?? `status ${response.status}`);
  return data;
}

const CHANGES = `query Changes($after: String) {
  list: posts(first: 100, after: $after, updatedAfter: "1970-01-01T00:00:00Z", orderBy: { field: UPDATED_AT, direction: ASC }) {
    nodes { id title updatedAt } pageInfo { endCursor hasNextPage } } }`;

const DELETIONS = `query Deletions($since: DateTime!, $after: String) {
  list: deletions(since: $since, first: 100, after: $after) {
    nodes { id } pageInfo { endCursor hasNextPage } } }`;

/** @returns a function that reads what has been added to the list since its last call */
function follow<T>(query: string, variables: object, take: (row: T) => void) {
  let after: string | null = null;
  return async () => {
    for (let more = true; more;) {
      const { list }: { list: Page<T> } = await ask(query, { ...variables, after });
      list.nodes.forEach(take);
      after = list.pageInfo.endCursor ?? after;
      more = list.pageInfo.hasNextPage;
    }
  };
}

const copy = new Map<string, Post>();
// Before the first read of the posts, so that no deletion falls between the two. An hour covers clocks that differ.
const since = new Date(Date.now() - 3_600_000).toISOString();
const readChanges = follow<Post>(CHANGES, {}, (post) => void copy.set(post.id, post));
const readDeletions = follow<{ id: string }>(DELETIONS, { since }, ({ id }) => void copy.delete(id));

for (let poll = 1; poll <= polls; poll++) {
  await readChanges();
  await readDeletions();
  console.log(`${copy.size} posts`);
  if (poll < polls) await new Promise((done) => setTimeout(done, Number(process.env["PAUSE"] ?? 10_000)));
}

export {};

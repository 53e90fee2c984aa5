import { tokenOf } from "./data.ts";
import { CONNECTIONS, type Request } from "./measure.ts";

/** The requests of one workload to one server. `read` converts the response to the common shape. */
export type Workload = { requests: Request[][]; read: (response: any) => unknown };

export type Target = { postId: string; postIds: string[] };

const post = (path: string, body: unknown, headers = {}): Request => ({
  method: "POST",
  path,
  body: JSON.stringify(body),
  headers,
});
const same = (request: Request, read: Workload["read"]): Workload => ({ requests: [[request]], read });
const signedIn = (person: number) => ({ authorization: `Bearer ${tokenOf(person)}` });

/** Each connection has its own account and post, so that likes do not wait for one lock. */
const perConnection = (make: (person: number) => Request[], read: Workload["read"]): Workload => ({
  requests: Array.from({ length: CONNECTIONS }, (_, index) => make(index + 1)),
  read,
});

export const kinds = { limit, constants, rest, peer, postgraphile, ours };

/** The blog's JSON responses that limit-static sends for the same requests, at its own paths. */
export const constantNames = ["W1", "W2", "W1 GET", "W2 GET"];
export const constantPath = (name: string) => `/${name.replace(" ", "-")}`;

function constants(target: Target): Record<string, Workload> {
  const page = same({ method: "GET", path: "/page" }, () => "page");
  const sources = Object.entries(ours(target)).filter(([name]) => constantNames.includes(name));
  const moved = sources.map(([name, { requests, read }]) => {
    const elsewhere = requests.map((each) =>
      each.map((request) => ({ ...request, path: constantPath(name) })),
    );
    return [name, { requests: elsewhere, read }] as const;
  });
  return { ...Object.fromEntries(moved), page };
}

function limit({ postId, postIds }: Target): Record<string, Workload> {
  const statement = (name: string, value: unknown) =>
    same(post("/", { name, value }), (response) => response);
  return {
    W1: statement("page", 0),
    W2: statement("post", postId),
    W3: perConnection(
      (person) => [post("/", { name: "toggle", value: postIds[person] }, signedIn(person))],
      (response) => response,
    ),
    W5: statement("plain", 2999 * 3),
  };
}

function rest({ postId, postIds }: Target): Record<string, Workload> {
  const get = (path: string) => same({ method: "GET", path }, (response) => response);
  return {
    W1: get("/posts?page=1"),
    W2: get(`/posts/${postId}`),
    W3: perConnection(
      (person) => [{ method: "PUT", path: `/posts/${postIds[person]}/like`, headers: signedIn(person) }],
      (response) => response,
    ),
    W5: get("/posts?page=3000"),
  };
}

const graphql = (query: string, variables: object, headers = {}) =>
  post("/graphql", { query, variables }, headers);

const card = "id title category createdAt user { id username } likes";
const full = "id title description category createdAt user { id username } likes";

function peer({ postId, postIds }: Target): Record<string, Workload> {
  const page = `query Page($page: Int!) { posts(page: $page) { ${card} } }`;
  const read = `query Post($id: ID!) { post(id: $id) { ${full} comments { id text username createdAt } } }`;
  const toggle = "mutation Toggle($id: ID!) { toggleLike(id: $id) { id viewerHasLiked } }";
  return {
    W1: same(graphql(page, { page: 1 }), ({ data }) => data.posts),
    W2: same(graphql(read, { id: postId }), ({ data }) => data.post),
    W3: perConnection(
      (person) => [graphql(toggle, { id: postIds[person] }, signedIn(person))],
      ({ data }) => data.toggleLike,
    ),
    W5: same(graphql(page, { page: 3000 }), ({ data }) => data.posts),
  };
}

function postgraphile({ postId, postIds }: Target): Record<string, Workload> {
  const fields =
    "rowId title category createdAt userByUserId { rowId username } likesByPostId(orderBy: PRIMARY_KEY_ASC) { nodes { userId } }";
  const page = `query Page($offset: Int!) { allPosts(first: 3, offset: $offset, orderBy: [CREATED_AT_DESC]) { nodes { ${fields} } } }`;
  const read = `query Post($id: UUID!) { postByRowId(rowId: $id) { description ${fields} commentsByPostId(orderBy: [CREATED_AT_ASC]) { nodes { rowId text createdAt userByUserId { username } } } } }`;
  const toggle = "mutation Toggle($id: UUID!) { flipLike(id: $id) { id viewerHasLiked } }";
  const card = (row: any) => ({
    id: row.rowId,
    title: row.title,
    category: row.category,
    createdAt: row.createdAt,
    user: { id: row.userByUserId.rowId, username: row.userByUserId.username },
    likes: row.likesByPostId.nodes.map((like: any) => like.userId),
  });
  const comments = (row: any) =>
    row.commentsByPostId.nodes.map((each: any) => ({
      id: each.rowId,
      text: each.text,
      username: each.userByUserId.username,
      createdAt: each.createdAt,
    }));
  return {
    W1: same(graphql(page, { offset: 0 }), ({ data }) => data.allPosts.nodes.map(card)),
    W2: same(graphql(read, { id: postId }), ({ data: { postByRowId: row } }) => ({
      ...card(row),
      description: row.description,
      comments: comments(row),
    })),
    W3: perConnection(
      (person) => [graphql(toggle, { id: postIds[person] }, signedIn(person))],
      ({ data }) => data.flipLike,
    ),
    W5: same(graphql(page, { offset: 2999 * 3 }), ({ data }) => data.allPosts.nodes.map(card)),
  };
}

function ours({ postId, postIds }: Target): Record<string, Workload> {
  const page = `query Page($page: Int!) { posts(page: $page) { nodes { ${card} } } }`;
  const read = `query Post($id: ID!) { post(id: $id) { ${full} comments(first: 100) { nodes { id text username createdAt } } } }`;
  const like = "mutation Like($id: ID!) { likePost(id: $id) { id viewerHasLiked } }";
  const unlike = "mutation Unlike($id: ID!) { unlikePost(id: $id) { id viewerHasLiked } }";
  const get = (path: string, read: Workload["read"]) => same({ method: "GET", path }, read);
  const html = (path: string) =>
    same(
      { method: "GET", path, headers: { accept: "text/html", "accept-encoding": "br, gzip" } },
      () => "page",
    );
  const apiCard = (row: any) => ({
    id: row.id,
    title: row.title,
    category: row.category,
    createdAt: row.createdAt,
    user: { id: row.user.id, username: row.user.username },
    likes: row.likes,
  });
  const apiPost = (row: any) => ({
    ...apiCard(row),
    description: row.description,
    comments: row.comments.map((each: any) => ({
      id: each._id,
      text: each.text,
      username: each.username,
      createdAt: each.createdAt,
    })),
  });
  const list = (headers = {}) => graphql(page, { page: 1 }, headers);
  const one = (headers = {}) => graphql(read, { id: postId }, headers);
  const nodesOf: Workload["read"] = ({ data }) => data.posts.nodes;
  const postOf: Workload["read"] = ({ data: { post } }) => ({ ...post, comments: post.comments.nodes });
  return {
    W1: same(list(), nodesOf),
    W2: same(one(), postOf),
    "W1 signed in": perConnection((person) => [list(signedIn(person))], nodesOf),
    "W2 signed in": perConnection((person) => [one(signedIn(person))], postOf),
    W3: perConnection(
      (person) => [
        graphql(like, { id: postIds[person] }, signedIn(person)),
        graphql(unlike, { id: postIds[person] }, signedIn(person)),
      ],
      ({ data }) => data.likePost,
    ),
    W5: same(graphql(page, { page: 3000 }), ({ data }) => data.posts.nodes),
    "W1 GET": get("/api/posts?pageNumber=1", (rows) => rows.map(apiCard)),
    "W2 GET": get(`/api/posts/${postId}`, apiPost),
    Home: html("/"),
    Details: html(`/posts/details/${postId}`),
  };
}

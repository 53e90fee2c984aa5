// The schema of the schema-first peers: SQL in resolvers, batched by DataLoader, as in their guides.
import { createHash } from "node:crypto";
import DataLoader from "dataloader";
import pg from "pg";
import { poolOptions, toggleJson } from "./statements.ts";

export const pool = new pg.Pool(poolOptions);

export const typeDefs = /* GraphQL */ `
  type User {
    id: ID!
    username: String!
  }
  type Comment {
    id: ID!
    text: String!
    username: String!
    createdAt: String!
  }
  type Post {
    id: ID!
    title: String!
    description: String!
    category: String!
    createdAt: String!
    user: User!
    likes: [ID!]!
    comments: [Comment!]!
  }
  type Liked {
    id: ID!
    viewerHasLiked: Boolean!
  }
  type Query {
    posts(page: Int!): [Post!]!
    post(id: ID!): Post
  }
  type Mutation {
    toggleLike(id: ID!): Liked!
  }
`;

type Row = Record<string, unknown> & { id: string };
export type Context = { authorization: string; loaders: ReturnType<typeof createLoaders> };

const rowsOf = async (name: string, text: string, values: unknown[]) =>
  (await pool.query<Row>({ name, text, values })).rows;

const grouped = (name: string, text: string, key: string) =>
  new DataLoader<string, Row[]>(async (ids) => {
    const groups = new Map<string, Row[]>(ids.map((id) => [id, []]));
    for (const row of await rowsOf(name, text, [ids])) groups.get(row[key] as string)?.push(row);
    return ids.map((id) => groups.get(id) ?? []);
  });

export const createLoaders = () => ({
  users: grouped("users", 'SELECT id, username FROM "User" WHERE id = ANY($1::uuid[])', "id"),
  likes: grouped(
    "likes",
    'SELECT "postId", "userId" FROM "Like" WHERE "postId" = ANY($1::uuid[]) ORDER BY "createdAt", "userId"',
    "postId",
  ),
  comments: grouped(
    "comments",
    `SELECT c.*, u.username FROM "Comment" c JOIN "User" u ON u.id = c."userId"
     WHERE "postId" = ANY($1::uuid[]) ORDER BY c."createdAt", c.id`,
    "postId",
  ),
});

const instant = (row: Row) => (row["createdAt"] as Date).toISOString();
const pageRows = 'SELECT * FROM "Post" ORDER BY "createdAt" DESC, id DESC LIMIT 3 OFFSET $1';

export const resolvers = {
  Query: {
    posts: (_: unknown, { page }: { page: number }) => rowsOf("page", pageRows, [(page - 1) * 3]),
    post: async (_: unknown, { id }: { id: string }) =>
      (await rowsOf("post", 'SELECT * FROM "Post" WHERE id = $1', [id]))[0],
  },
  Mutation: {
    toggleLike: async (_: unknown, { id }: { id: string }, { authorization }: Context) => {
      const hash = createHash("sha256").update(authorization.slice(7)).digest();
      return JSON.parse((await rowsOf("toggle", toggleJson, [hash, id]))[0]?.["json"] as string);
    },
  },
  Post: {
    createdAt: instant,
    user: async (post: Row, _: unknown, { loaders }: Context) =>
      (await loaders.users.load(post["userId"] as string))[0],
    likes: async (post: Row, _: unknown, { loaders }: Context) =>
      (await loaders.likes.load(post.id)).map((like) => like["userId"]),
    comments: (post: Row, _: unknown, { loaders }: Context) => loaders.comments.load(post.id),
  },
  Comment: { createdAt: instant },
};

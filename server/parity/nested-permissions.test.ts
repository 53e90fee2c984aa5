import { getNamedType, isObjectType } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { buildBlogSchema } from "../graphql/schema.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { authCases, seedForAuthCases, type AuthCase } from "../testing/auth-cases.ts";
import { ids } from "../testing/parity.ts";

let blog: TestApp;
let tokens: Record<AuthCase, string | null>;
beforeAll(async () => {
  blog = await startTestApp();
  tokens = await seedForAuthCases(blog);
});

const MAYA = "maya@example.com";
const NOOR = "noor@example.com";

const visible: Partial<Record<AuthCase, string[]>> = { other: [NOOR], author: [MAYA], admin: [NOOR, MAYA] };
const shown = (bearer: AuthCase, address: string) => (visible[bearer]?.includes(address) ? address : null);

const variables = { post: ids.post, liked: ids.liked, maya: ids.maya };
const ask = async (query: string, bearer: AuthCase) => {
  const used = Object.entries(variables).filter(([name]) => query.includes(`$${name}`));
  const head = used.length ? `query (${used.map(([name]) => `$${name}: ID!`).join(", ")})` : "query";
  return (await blog.gql(`${head} ${query}`, Object.fromEntries(used), tokens[bearer])).body;
};

const email = "{ username email }";
const pathsToProfiles: [path: string, query: string][] = [
  ["a profile", `{ profile(id: $maya) ${email} }`],
  ["a profile's posts", `{ profile(id: $maya) { posts { nodes { user ${email} } } } }`],
  ["a post", `{ post(id: $post) { user ${email} } }`],
  ["a list of posts", `{ posts { nodes { user ${email} } edges { node { user ${email} } } } }`],
  ["somebody's posts", `{ posts(author: $maya) { nodes { user ${email} } } }`],
  ["a comment", `{ post(id: $liked) { comments { nodes { user ${email} } } } }`],
  ["a comment's post", `{ post(id: $liked) { comments { nodes { post { user ${email} } } } } }`],
  [
    "a comment of a post of the author of a post",
    `{ post(id: $post) { user { posts { edges { node { comments { nodes { user ${email} } } } } } } } }`,
  ],
];

function peopleIn(response: unknown): { username: string; email: string | null }[] {
  if (typeof response !== "object" || response === null) return [];
  if ("email" in response) return [response as { username: string; email: string | null }];
  return Object.values(response).flatMap(peopleIn);
}

describe.each(pathsToProfiles)("the email address of users through %s", (_path, query) => {
  test.each(authCases)("is visible as allowed to %s", async (bearer) => {
    const { data, errors } = await ask(query, bearer);
    expect(errors).toBeUndefined();
    const people = peopleIn(data);
    expect(people.length).toBeGreaterThan(0);
    for (const { username, email } of people)
      expect(email).toBe(shown(bearer, `${username.toLowerCase()}@example.com`));
  });
});

describe("the viewer's permissions", () => {
  const may = "viewerCanEdit viewerCanDelete";
  const query = `{ post(id: $liked) { ${may} viewerHasLiked user { viewerCanEdit } comments { nodes { ${may} } } } }`;
  const nothing = { viewerCanEdit: false, viewerCanDelete: false };
  const everything = { viewerCanEdit: true, viewerCanDelete: true };
  const rights = (post: object, viewerHasLiked: boolean, isSelf: boolean, comment: object) => ({
    ...{ ...post, viewerHasLiked, user: { viewerCanEdit: isSelf }, comments: { nodes: [comment] } },
  });

  test.each(authCases)("as %s", async (bearer) => {
    const expected: Partial<Record<AuthCase, object>> = {
      other: rights(nothing, true, false, everything),
      author: rights(everything, true, true, nothing),
      admin: rights({ ...nothing, viewerCanDelete: true }, true, false, {
        ...nothing,
        viewerCanDelete: true,
      }),
    };
    const { data } = await ask(query, bearer);
    expect(data.post).toEqual(expected[bearer] ?? rights(nothing, false, false, nothing));
  });
});

test.each(authCases)("sessions are the viewer's own, for %s", async (bearer) => {
  const { data } = await ask("{ viewer { id email sessions { isCurrent } } }", bearer);
  const own: Partial<Record<AuthCase, string>> = { other: ids.noor, author: ids.maya, admin: ids.ada };
  expect(data.viewer?.id ?? null).toBe(own[bearer] ?? null);
  if (data.viewer) expect(data.viewer.sessions).toEqual([{ isCurrent: true }]);
});

// Private types are reachable only through fields that check permissions.
test.each([
  ["User", ["UserConnection.nodes", "UserEdge.node"]],
  ["UserEdge", ["UserConnection.edges"]],
  ["UserConnection", ["Query.users"]],
  ["Letter", ["LetterConnection.nodes", "LetterEdge.node"]],
  ["LetterEdge", ["LetterConnection.edges"]],
  ["LetterConnection", ["Query.letters"]],
  ["Viewer", ["LoginAnswer.viewer", "Mutation.uploadProfilePhoto", "Query.viewer"]],
  ["Session", ["Viewer.sessions"]],
  [
    "Draft",
    [
      ...["DraftConnection.nodes", "DraftEdge.node", "Mutation.createPreviewLink", "Mutation.editPost"],
      ...["Mutation.revokePreviewLink", "Mutation.saveDraft", "Mutation.scheduleDraft"],
      ...["Query.draft", "Query.preview"],
    ],
  ],
  ["DraftEdge", ["DraftConnection.edges"]],
  ["DraftConnection", ["Viewer.drafts"]],
  ["Picture", ["Draft.picture", "Mutation.updatePictureAlt", "Mutation.uploadPicture"]],
  ["Revision", ["RevisionConnection.nodes", "RevisionEdge.node"]],
  ["RevisionEdge", ["RevisionConnection.edges"]],
  ["RevisionConnection", ["Post.revisions"]],
])("the schema leads to %s only through %j", (name, paths) => {
  const types = Object.values(buildBlogSchema().getTypeMap()).filter(isObjectType);
  const found = types.flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => getNamedType(field.type).name === name)
      .map((field) => `${type.name}.${field.name}`),
  );
  expect(found.sort()).toEqual(paths);
});

describe("in REST", () => {
  const read = async (path: string, bearer: AuthCase) => (await blog.rest("GET", path, tokens[bearer])).body;

  test.each(authCases)("a profile shows its address as allowed to %s", async (bearer) => {
    expect((await read(`/users/profile/${ids.maya}`, bearer)).email).toBe(shown(bearer, MAYA));
  });

  test.each(authCases)("posts and comments show only name and photo of users, to %s", async (bearer) => {
    const post = await read(`/posts/${ids.liked}`, bearer);
    const list = await read("/posts", bearer);
    for (const { user } of [post, ...list])
      expect(Object.keys(user).sort()).toEqual(["_id", "id", "profilePhoto", "username"]);
    expect(post.comments).toMatchObject([{ user: ids.noor, username: "Noor" }]);
    expect(JSON.stringify([post, list])).not.toContain("@example.com");
  });

  test("nor do changed posts and comments", async () => {
    const liked = await blog.rest("PUT", `/posts/like/${ids.noors}`, tokens.author);
    const written = await blog.rest("POST", "/comments", tokens.author, { postId: ids.noors, text: "Yes." });
    expect([liked.body.user, written.body.user]).toEqual([ids.noor, ids.maya]);
    expect(liked.text + written.text).not.toContain("@example.com");
  });
});

describe("an invalid token", () => {
  const forms = [
    "undefined",
    "null",
    "[object",
    "a.b.c",
    "eyJhbGciOiJub25lIn0.eyJpc0FkbWluIjp0cnVlfQ.",
    "'--",
  ];
  const cases = [...forms, "x".repeat(6_000), "token-A", "token-a%00", "\u00ff\u00fe"];

  test.each(cases.map((token) => [token.slice(0, 40), token]))("%s", async (_name, token) => {
    const guarded = await blog.rest("GET", "/users/count", token);
    expect([guarded.status, guarded.body.message]).toEqual([401, "invalid token, access denied"]);
    expect((await blog.rest("GET", "/posts/count", token)).body).toBe(4);
    const { body } = await blog.gql("{ viewer { id } postsCount }", {}, token);
    expect(body).toEqual({ data: { viewer: null, postsCount: 4 }, extensions: { session: "ended" } });
  });
});

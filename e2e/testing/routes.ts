import { ask, call, logInAdmin, logInWriter, type Account } from "./people.ts";

export type Role = "visitor" | "writer" | "admin";

/** Returns an account for each role, and every route with the role that it requires. */
export async function gather() {
  const writer = await logInWriter();
  const people: Record<Role, Account | null> = { visitor: null, writer, admin: await logInAdmin() };
  return { people, routes: await allRoutes(writer) };
}

/** An id of the test's choice, so that all test files share one draft. */
export const DRAFT = "11111111-2222-4333-8444-555555555555";

/** Writes a draft with a preview link. @returns the link's path */
async function writeDraft({ token }: Account): Promise<string> {
  const input = { title: "Notes on salt", description: "White,\n\nthen *grey*.", category: "Places" };
  await ask(
    "mutation ($id: ID!, $input: DraftInput!) { saveDraft(id: $id, version: 0, input: $input) { id } }",
    { id: DRAFT, input },
    token,
  );
  const link = "mutation ($id: ID!) { createPreviewLink(draftId: $id) { previewUrl } }";
  return new URL((await ask(link, { id: DRAFT }, token)).createPreviewLink.previewUrl).pathname;
}

/** Changes a post and takes the change back, so that it has a history. */
async function changeTwice({ token }: Account, { _id, description }: { _id: string; description: string }) {
  for (const text of [`${description}\n\nAnd more.`, description])
    await call("PUT", `/posts/${_id}`, { token, body: { description: text } });
}

async function allRoutes(writer: Account): Promise<[path: string, role: Role][]> {
  const [post] = (await call("GET", "/posts?pageNumber=1")).body;
  const [own] = (await call("GET", `/users/profile/${writer._id}`)).body.posts;
  const preview = await writeDraft(writer);
  await changeTwice(writer, own);
  const details = `/posts/details/${post._id}`;
  const forms = ["/login", "/register", "/forgot-password", "/reset-password/x/y", "/users/x/verify/y"];
  const tables = [
    "",
    "/users-table",
    "/posts-table",
    "/categories-table",
    "/comments-table",
    "/tags-table",
    "/letters",
  ];
  const asVisitor = [
    "/",
    "/posts",
    "/posts?page=2",
    "/posts/categories/Food",
    "/posts/categories/Nothing",
    "/posts/tags/bread",
    "/search?q=slate",
    "/offline",
  ];
  return [
    ...[...asVisitor, details, `/profile/${post.user._id}`, preview, ...forms, "/nowhere"].map(
      (path) => [path, "visitor"] as [string, Role],
    ),
    ...[
      "/",
      details,
      `/posts/details/${own._id}`,
      "/posts/create-post",
      "/drafts",
      "/bookmarks",
      "/following",
      "/posts",
      "/drafts/new",
      `/drafts/${DRAFT}`,
      `/posts/history/${own._id}`,
      `/profile/${writer._id}`,
    ].map((path) => [path, "writer"] as [string, Role]),
    ...tables.map((path) => [`/admin-dashboard${path}`, "admin"] as [string, Role]),
  ];
}

import { call, logInAdmin, logInWriter, type Account } from "./people.ts";

export type Role = "visitor" | "writer" | "admin";

/** Returns an account for each role, and every route with the role that it requires. */
export async function gather() {
  const writer = await logInWriter();
  const people: Record<Role, Account | null> = { visitor: null, writer, admin: await logInAdmin() };
  return { people, routes: await allRoutes(writer) };
}

async function allRoutes(writer: Account): Promise<[path: string, role: Role][]> {
  const [post] = (await call("GET", "/posts?pageNumber=1")).body;
  const [own] = (await call("GET", `/users/profile/${writer._id}`)).body.posts;
  const details = `/posts/details/${post._id}`;
  const forms = ["/login", "/register", "/forgot-password", "/reset-password/x/y", "/users/x/verify/y"];
  const tables = ["", "/users-table", "/posts-table", "/categories-table", "/comments-table", "/letters"];
  const asVisitor = [
    "/",
    "/posts",
    "/posts?page=2",
    "/posts/categories/Food",
    "/posts/categories/Nothing",
    "/posts/tags/bread",
    "/search?q=slate",
  ];
  return [
    ...[...asVisitor, details, `/profile/${post.user._id}`, ...forms, "/nowhere"].map(
      (path) => [path, "visitor"] as [string, Role],
    ),
    ...[
      "/",
      details,
      `/posts/details/${own._id}`,
      "/posts/create-post",
      "/drafts",
      "/drafts/new",
      `/profile/${writer._id}`,
    ].map((path) => [path, "writer"] as [string, Role]),
    ...tables.map((path) => [`/admin-dashboard${path}`, "admin"] as [string, Role]),
  ];
}

// `node scripts/screenshots.mjs [URL]`: writes screenshots of every page to docs/screenshots, which docs/gallery.md shows:
// light and dark at 1280 pixels, light at 390. Needs a running blog with demo content.
import { existsSync, mkdirSync, rmSync } from "node:fs";
import sparticuz from "@sparticuz/chromium";
import { chromium } from "playwright-core";
import sharp from "sharp";

const base = process.argv[2] ?? "http://localhost:4000";
const folder = "docs/screenshots";
const system = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path));

const [post] = await (await fetch(`${base}/api/posts?pageNumber=1`)).json();
const signedOut = {
  home: "/",
  posts: "/posts?page=2",
  category: "/posts/categories/Food",
  details: `/posts/details/${post._id}`,
  tag: "/posts/tags/bread",
  search: "/search?q=bread",
  profile: `/profile/${post.user._id}`,
  login: "/login",
  register: "/register",
  "forgot-password": "/forgot-password",
  explorer: "/playground",
  "api-docs": "/api/docs",
  "not-found": "/nowhere",
};
const asWriter = (session) => ({
  "create-post": "/posts/create-post",
  "own-details": `/posts/details/${ownPost._id}`,
  "own-profile": `/profile/${session._id}`,
  editor: "/drafts/new",
  drafts: "/drafts",
  bookmarks: "/bookmarks",
  following: "/following",
});
const asAdmin = () => ({
  "admin-dashboard": "/admin-dashboard",
  "users-table": "/admin-dashboard/users-table",
  "posts-table": "/admin-dashboard/posts-table",
  "categories-table": "/admin-dashboard/categories-table",
  "comments-table": "/admin-dashboard/comments-table",
  "tags-table": "/admin-dashboard/tags-table",
  letters: "/admin-dashboard/letters",
});

async function logIn(email) {
  const response = await fetch(`${base}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: "read-write-repeat" }),
  });
  return response.json();
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: system ?? (await sparticuz.executablePath()),
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const writer = await logIn("demo@example.com");
const {
  posts: [ownPost],
} = await (await fetch(`${base}/api/users/profile/${writer._id}`)).json();
const admin = await logIn("admin@example.com");
const [category] = await (await fetch(`${base}/api/categories`)).json();
for (const change of [`bookmarkPost(id: "${post._id}") { id }`, `follow(id: "${category._id}") { id }`])
  await fetch(`${base}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${writer.token}` },
    body: JSON.stringify({ query: `mutation { ${change} }` }),
  });
const visits = [
  [null, signedOut],
  [writer, asWriter(writer)],
  [admin, asAdmin()],
];

const screens = [
  { width: 1280, height: 800, colorScheme: "light" },
  { width: 1280, height: 800, colorScheme: "dark" },
  { width: 390, height: 844, colorScheme: "light" },
];

let count = 0;
for (const { colorScheme, ...viewport } of screens)
  for (const [session, pages] of visits) {
    const context = await browser.newContext({
      baseURL: base,
      colorScheme,
      viewport,
      reducedMotion: "reduce",
    });
    const user = JSON.stringify(session);
    if (session) await context.addInitScript((text) => localStorage.setItem("userInfo", text), user);
    const page = await context.newPage();
    // The first page of a browser may be shown before its font.
    await page.goto("/", { waitUntil: "networkidle" });
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(path, { waitUntil: "networkidle" });
      const picture = sharp(await page.screenshot());
      await picture
        .webp({ quality: 80, effort: 6 })
        .toFile(`${folder}/${name}-${colorScheme}-${viewport.width}.webp`);
      count++;
    }
    await context.close();
  }
await browser.close();
console.log(`Wrote ${count} pictures to ${folder}.`);

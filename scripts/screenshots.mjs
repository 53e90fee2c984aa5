// `node scripts/screenshots.mjs [URL]`: writes screenshots of every page, light and dark, phone and desktop, to
// docs/screenshots. Needs a running blog with demo content.
import { existsSync, mkdirSync } from "node:fs";
import sparticuz from "@sparticuz/chromium";
import { chromium } from "playwright-core";

const base = process.argv[2] ?? "http://localhost:4000";
const folder = "docs/screenshots";
const system = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path));

const [post] = await (await fetch(`${base}/api/posts?pageNumber=1`)).json();
const signedOut = {
  home: "/",
  posts: "/posts?page=2",
  category: "/posts/categories/Food",
  details: `/posts/details/${post._id}`,
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
});
const asAdmin = () => ({
  "admin-dashboard": "/admin-dashboard",
  "users-table": "/admin-dashboard/users-table",
  "posts-table": "/admin-dashboard/posts-table",
  "categories-table": "/admin-dashboard/categories-table",
  "comments-table": "/admin-dashboard/comments-table",
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
const visits = [
  [null, signedOut],
  [writer, asWriter(writer)],
  [admin, asAdmin()],
];

let count = 0;
for (const colorScheme of ["light", "dark"])
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ])
    for (const [session, pages] of visits) {
      const context = await browser.newContext({ baseURL: base, colorScheme, viewport: { width, height } });
      const user = JSON.stringify(session);
      if (session) await context.addInitScript((text) => localStorage.setItem("userInfo", text), user);
      const page = await context.newPage();
      for (const [name, path] of Object.entries(pages)) {
        await page.goto(path, { waitUntil: "networkidle" });
        const file = `${folder}/${name}-${colorScheme}-${width}.jpg`;
        await page.screenshot({ path: file, type: "jpeg", quality: 82 });
        count++;
      }
      await context.close();
    }
await browser.close();
console.log(`Wrote ${count} pictures to ${folder}.`);

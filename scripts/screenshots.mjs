// `node scripts/screenshots.mjs [URL]`: pictures of every page, light and dark, phone and desktop, into
// docs/screenshots. Wants a running blog with its demo content.
import { existsSync, mkdirSync } from "node:fs";
import sparticuz from "@sparticuz/chromium";
import { chromium } from "playwright-core";

const base = process.argv[2] ?? "http://localhost:4000";
const folder = "docs/screenshots";
const system = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path));

const [post] = await (await fetch(`${base}/api/posts?pageNumber=1`)).json();
const pages = {
  home: "/",
  posts: "/posts?page=2",
  category: "/posts/categories/Food",
  details: `/posts/details/${post._id}`,
  profile: `/profile/${post.user._id}`,
  login: "/login",
  "create-post": "/posts/create-post",
  "not-found": "/nowhere",
};

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: system ?? (await sparticuz.executablePath()),
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const session = await (
  await fetch(`${base}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "demo@example.com", password: "read-write-repeat" }),
  })
).json();

for (const colorScheme of ["light", "dark"])
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ]) {
    const context = await browser.newContext({ baseURL: base, colorScheme, viewport: { width, height } });
    const page = await context.newPage();
    for (const [name, path] of Object.entries(pages)) {
      await page.goto("/login");
      const user = name === "create-post" ? JSON.stringify(session) : "";
      await page.evaluate(
        (text) => (text ? localStorage.setItem("userInfo", text) : localStorage.clear()),
        user,
      );
      await page.goto(path, { waitUntil: "networkidle" });
      await page.screenshot({
        path: `${folder}/${name}-${colorScheme}-${width}.jpg`,
        type: "jpeg",
        quality: 82,
      });
    }
    await context.close();
  }
await browser.close();
console.log(`Wrote ${Object.keys(pages).length * 4} pictures to ${folder}.`);

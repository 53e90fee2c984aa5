import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ScriptTarget, transpileModule } from "typescript";
import { openBrowser, visit } from "./testing/browser.ts";
import { givenBlog } from "./testing/given-blog.ts";

const { url, email, password } = givenBlog;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

type Document = { paths: Record<string, Record<string, { summary: string }>> };

/** A browser that can reach no other origin. */
async function visitAlone() {
  const visitor = await visit(browser, url);
  const elsewhere: string[] = [];
  await visitor.context.route("**/*", (route) => {
    const requested = route.request().url();
    if (requested.startsWith(url) || requested.startsWith("data:")) return route.continue();
    elsewhere.push(requested);
    return route.abort();
  });
  return { ...visitor, elsewhere };
}

test("the documentation lists every operation, sends one, and requests no other origin", async () => {
  const { page, context, complaints, elsewhere } = await visitAlone();
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as Document;
  const summaries = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map((each) => each.summary),
  );
  await page.goto("/api/docs");
  await page
    .locator(".opblock")
    .nth(summaries.length - 1)
    .waitFor();
  const shown = await page.locator(".opblock-summary-description").allTextContents();
  expect(shown.sort()).toEqual(summaries.sort());

  const posts = page.locator("#operations-posts-posts");
  await posts.locator(".opblock-summary-control").click();
  await posts
    .getByRole("row", { name: /pageNumber/ })
    .getByRole("spinbutton")
    .or(posts.getByPlaceholder("pageNumber"))
    .first()
    .fill("1");
  await posts.getByRole("button", { name: "Execute" }).click();
  const status = posts.locator(".live-responses-table .response-col_status").filter({ hasText: "200" });
  await status.first().waitFor();
  expect(await posts.locator(".live-responses-table").textContent()).toContain('"profilePhoto"');
  expect(complaints).toEqual([]);
  expect(elsewhere).toEqual([]);
  await context.close();
});

test("the guide leads back to the blog, looks like it, and its examples work as they are shown", async () => {
  const { page, context, complaints } = await visitAlone();
  const response = await page.goto("/api/docs");
  expect(response?.headers()["content-security-policy"]).not.toContain("unsafe");
  const fontOf = (selector: string) =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).fontFamily);
  expect(await fontOf(".docs-guide h1")).toContain("Newsreader");
  expect(await page.locator("header a").first().getAttribute("href")).toBe("/");
  for (const title of ["Quick start", "Paging", "Limits"])
    expect(await page.getByRole("heading", { name: title }).count()).toBe(1);

  const example = (name: string) => page.locator(`[data-example="${name}"]`).innerText();
  const [newest] = (await (await fetch(`${url}/api/posts?pageNumber=1`)).json()) as any[];
  const logged = page.waitForEvent("console");
  await page.evaluate(`(async () => { ${await example("fetch")} })()`);
  expect((await logged).text()).toMatch(new RegExp(`^${newest.title} of \\d+$`));

  const likers = async () => (await (await fetch(`${url}/api/posts/${newest._id}`)).json()).likes.length;
  const before = await likers();
  const source = (await example("TypeScript"))
    .replace("you@example.com", email)
    .replace("your password", password);
  const program = transpileModule(source, { compilerOptions: { target: ScriptTarget.ES2022 } }).outputText;
  await page.evaluate(`(async () => { ${program} })()`);
  expect(Math.abs((await likers()) - before)).toBe(1);

  const curl = await example("curl");
  const [, path = "", body = ""] = /(\/api\/auth\/login).* -d '(.+)'/s.exec(curl) ?? [];
  const headers = { "content-type": "application/json" };
  const login = body.replace("you@example.com", email).replace("your password", password);
  expect((await fetch(url + path, { method: "POST", headers, body: login })).status).toBe(200);
  expect(complaints).toEqual([]);
  await context.close();
});

test("with a token it sends requests that visitors may not", async () => {
  const login = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  };
  const { token, _id: id } = (await (await fetch(`${url}/api/auth/login`, login)).json()) as any;
  const { page, context, complaints } = await visitAlone();
  await page.goto("/api/docs");
  await page.getByRole("button", { name: "Authorize" }).first().click();
  const dialog = page.locator(".dialog-ux");
  await dialog.locator("input").fill(token);
  await dialog.getByRole("button", { name: "Apply credentials" }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  const update = page.locator("#operations-users-updateProfile");
  await update.locator(".opblock-summary-control").click();
  await update.getByPlaceholder("id").fill(id);
  await update.locator("textarea").fill("{}");
  await update.getByRole("button", { name: "Execute" }).click();
  const body = update.locator(".live-responses-table");
  await body.locator(".response-col_status", { hasText: "200" }).first().waitFor();
  expect(await body.textContent()).toContain(email);
  expect(complaints).toEqual([]);
  await context.close();
});

test("readers' pages do not load its code", async () => {
  const { page, context } = await visit(browser, url);
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  for (const path of ["/", "/posts", "/login"]) await page.goto(path, { waitUntil: "networkidle" });
  expect(requested.length).toBeGreaterThan(3);
  expect(requested.filter((path) => /docs|swagger|openapi/.test(path))).toEqual([]);
  await context.close();
});

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeForm } from "../server/testing/forms.ts";
import { findBreakouts, watch } from "./testing/breakouts.ts";
import { openBrowser } from "./testing/browser.ts";
import { givenBlog } from "./testing/given-blog.ts";
import { call, logInAdmin, makeAccount, type Account } from "./testing/people.ts";
import { open, openPage, pictureFile } from "./testing/stage.ts";
import { payloads } from "./testing/xss-payloads.ts";

const { url } = givenBlog;

type Written = { payload: string; postId: string; category: string };

let browser: Browser;
let admin: Account;
let writer: Account;
let picture: Buffer;
const written: Written[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  admin = await logInAdmin();
  writer = await makeAccount();
  picture = (await pictureFile()).buffer;
  for (const [index, payload] of payloads.entries())
    written.push(await (index % 2 ? writeByGraphql : writeByRest)(payload));
});
afterAll(async () => {
  await browser.close();
  await call("DELETE", `/users/profile/${writer._id}`, { token: writer.token });
  for (const { _id, title } of (await call("GET", "/categories")).body)
    if (written.some(({ category }) => category === title))
      await call("DELETE", `/categories/${_id}`, { token: admin.token });
});

async function send(method: string, path: string, body: object | Buffer, token = "", headers = {}) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
  });
  const result = (await response.json()) as any;
  if (!response.ok || result.errors) throw new Error(`${path}: ${response.status} ${JSON.stringify(result)}`);
  return result;
}

const ask = async (query: string, variables: object, token: string) =>
  (await send("POST", "/graphql", { query, variables }, token)).data;

/** Meets the minimum length, and tests block and inline rules of Markdown. */
const textOf = (payload: string) => `Ten words or so.\n\n${payload}\n\n> ${payload}\n\n- x ${payload}`;

async function writeByRest(payload: string): Promise<Written> {
  const { title: category } = await send("POST", "/api/categories", { title: payload }, admin.token);
  const fields = { title: payload, description: textOf(payload), category };
  const { payload: body, headers } = encodeForm([
    ...Object.entries(fields).map(([name, value]) => ({ name, value })),
    {
      name: "image",
      value: picture,
      filename: `${payload}.jpg`.replaceAll('"', "%22").replaceAll("\n", " "),
    },
  ]);
  const { _id: postId } = await send("POST", "/api/posts", body, writer.token, headers);
  await send("POST", "/api/comments", { postId, text: payload }, writer.token);
  return { payload, postId, category };
}

async function writeByGraphql(payload: string): Promise<Written> {
  const { createCategory } = await ask(
    "mutation ($title: String!) { createCategory(title: $title) { title } }",
    { title: payload },
    admin.token,
  );
  const category = createCategory.title as string;
  const input = { title: payload, description: textOf(payload), category };
  const query =
    "mutation ($input: PostInput!, $image: Upload!) { createPost(input: $input, image: $image) { id } }";
  const { payload: body, headers } = encodeForm([
    { name: "operations", value: JSON.stringify({ query, variables: { input, image: null } }) },
    { name: "map", value: '{"0":["variables.image"]}' },
    { name: "0", value: picture, filename: "x.jpg" },
  ]);
  const preflighted = { ...headers, "apollo-require-preflight": "true" };
  const { data } = await send("POST", "/graphql", body, writer.token, preflighted);
  const postId = data.createPost.id as string;
  await ask(
    "mutation ($postId: ID!, $text: String!) { createComment(postId: $postId, text: $text) { id } }",
    { postId, text: payload },
    writer.token,
  );
  return { payload, postId, category };
}

/** Removes line breaks and control characters, which names must not contain. */
const nameOf = (payload: string) => payload.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();

async function rename(payload: string, index: number): Promise<void> {
  const changes = { username: nameOf(payload), bio: payload };
  const query =
    "mutation ($id: ID!, $input: ProfileChanges!) { updateProfile(id: $id, input: $input) { id } }";
  await (index % 2
    ? ask(query, { id: writer._id, input: changes }, writer.token)
    : send("PUT", `/api/users/profile/${writer._id}`, changes, writer.token));
}

async function enter(account: Account | null = null) {
  const { page, context } = await openPage(browser, account);
  await page.addInitScript(watch);
  return { page, context };
}

async function look(page: Page, path: string): Promise<void> {
  await open(page, path);
  expect(await page.evaluate(findBreakouts), path).toEqual([]);
}

const shown = (text: string) => text.replace(/\s+/g, " ").trim();
const read = async (page: Page, selector: string) =>
  shown((await page.locator(selector).first().textContent()) ?? "");

describe("user content never becomes markup", () => {
  test("on an unprotected page these payloads run, and the check detects them", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript(watch);
    const bare = payloads
      .slice(0, 9)
      .filter((payload) => payload.startsWith("<img") || payload.includes("svg"));
    await page.route("http://bare.example/**", (route) =>
      route.fulfill({ contentType: "text/html", body: `<p>${bare.join("</p><p>")}` }),
    );
    await page.goto("http://bare.example/");
    await expect.poll(() => page.evaluate(findBreakouts)).toContain("ran");
    expect((await page.evaluate(findBreakouts)).length).toBeGreaterThan(bare.length);
    await context.close();
  });

  test("on a post's page (title, text, category, comments, author) and its category's page", async () => {
    const { page, context } = await enter();
    for (const [index, { payload, postId, category }] of written.entries()) {
      await rename(payload, index);
      await look(page, `/posts/details/${postId}`);
      expect(await read(page, "h1")).toBe(shown(payload));
      expect(await read(page, "[rel=author]")).toBe(shown(payload));
      expect(await read(page, ".post-article .eyebrow")).toBe(shown(category));
      expect(await read(page, ".comment-item .text")).toBe(shown(payload));
      expect(await page.title()).toContain(shown(payload));
      await look(page, `/posts/categories/${encodeURIComponent(category)}`);
      expect(await read(page, "h1")).toBe(shown(`Posts based on ${category}`));
    }
    await context.close();
  }, 240_000);

  test("on a profile's page (name, bio)", async () => {
    const { page, context } = await enter();
    for (const [index, payload] of payloads.entries()) {
      await rename(payload, index);
      await look(page, `/profile/${writer._id}`);
      expect(await read(page, "h1")).toBe(shown(payload));
      expect(await page.locator('meta[name="description"]').getAttribute("content")).toContain(
        payload.trim(),
      );
    }
    await context.close();
  }, 240_000);

  test("on the home page and every page of posts", async () => {
    const { page, context } = await enter();
    await look(page, "/");
    const titles = new Set<string>();
    for (let number = 1; titles.size < payloads.length; number++) {
      await look(page, `/posts?page=${number}`);
      for (const title of await page.locator("article h3").allTextContents()) titles.add(shown(title));
      expect(number).toBeLessThan(payloads.length);
    }
    for (const payload of payloads) expect(titles).toContain(shown(payload));
    await context.close();
  }, 120_000);

  test("in the admin's tables and their searches", async () => {
    const { page, context } = await enter(admin);
    await look(page, "/admin-dashboard");
    for (const noun of ["users", "posts", "categories", "comments"])
      for (const payload of payloads.filter((_, index) => index % 9 === 0)) {
        await rename(payload, 0);
        const address = `/admin-dashboard/${noun}-table`;
        await look(page, `${address}?search=${encodeURIComponent(payload)}`);
        await page.getByRole("table").getByRole("rowheader").first().waitFor();
        expect(shown((await page.getByRole("table").textContent()) ?? "")).toContain(shown(payload));
        expect(await page.evaluate(findBreakouts), address).toEqual([]);
      }
    await context.close();
  }, 120_000);

  test("in the writer's menu and profile form", async () => {
    const payload = '"><img src=x onerror=pwn() xss>';
    await rename(payload, 0);
    const { page, context } = await enter({ ...writer, username: payload });
    await look(page, `/profile/${writer._id}`);
    await page.getByRole("button", { name: payload }).click();
    await page.getByRole("button", { name: "Update Profile" }).click();
    await expect.poll(() => page.getByLabel("Username").inputValue()).toBe(payload);
    expect(await page.evaluate(findBreakouts)).toEqual([]);
    await context.close();
  });
});

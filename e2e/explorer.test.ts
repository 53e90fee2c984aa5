import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { examples } from "../client/explorer/examples.ts";
import { openBrowser, visit } from "./testing/browser.ts";
import { givenBlog } from "./testing/given-blog.ts";
import { logInAdmin } from "./testing/people.ts";
import { pictureFile } from "./testing/stage.ts";

const { url, email, password } = givenBlog;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** The explorer without network: requests to other origins are blocked and recorded. */
async function openExplorer(path = "/graphql", options = {}) {
  const visitor = await visit(browser, url, options);
  const foreign: string[] = [];
  await visitor.page.route("**", (route) => {
    const address = route.request().url();
    if (address.startsWith(url) || address.startsWith("data:")) return route.continue();
    foreign.push(address);
    return route.abort();
  });
  await visitor.page.goto(path, { waitUntil: "networkidle" });
  return { ...visitor, foreign };
}

const responseIn = (page: Page) => page.locator(".result-window .CodeMirror");
const textOf = (page: Page, pane: string) =>
  page
    .locator(`${pane} .CodeMirror`)
    .first()
    .evaluate((pane) =>
      (pane as unknown as { CodeMirror: { getValue: () => string } }).CodeMirror.getValue(),
    );

async function write(page: Page, pane: string, text: string) {
  const editor = page.locator(`${pane} .CodeMirror`).first();
  await editor.evaluate(
    (pane, value) =>
      (pane as unknown as { CodeMirror: { setValue: (text: string) => void } }).CodeMirror.setValue(value),
    text,
  );
}

async function run(page: Page, title: string, variables?: object): Promise<any> {
  await page.getByLabel("Example").selectOption(title);
  const { query = "" } = examples.find((each) => each.title === title) ?? {};
  const [own = ""] = /^(query|mutation) \w+/m.exec(query) ?? [];
  // The editor updates the operation's name asynchronously.
  const tab = page.locator(".graphiql-tab-active .graphiql-tab-button");
  await expect.poll(() => tab.innerText()).toBe(own.split(" ")[1]);
  if (variables) await write(page, "[aria-label=Variables]", JSON.stringify(variables));
  const answered = page.waitForResponse((each) => each.request().postData()?.includes(own) === true);
  await page.getByRole("button", { name: "Execute query" }).click();
  const response = await (await answered).json();
  await expect.poll(async () => (await responseIn(page).innerText()).length).toBeGreaterThan(5);
  return response;
}

test("examples run, a login sets the token, and the docs open, without requests to other origins", async () => {
  const { page, context, complaints, foreign } = await openExplorer();
  for (const { title } of examples.filter(({ query }) => !query.includes("mutation"))) {
    const response = await run(page, title);
    expect(response.errors, title).toBeUndefined();
    expect(response.extensions.cost.requested).toBeGreaterThan(0);
  }
  expect((await run(page, "One post with its comments")).data.post.title).toEqual(expect.any(String));
  expect((await run(page, "Who am I?")).data).toEqual({ viewer: null });

  // The demo blog's example is filled in.
  const { data } = await run(page, "Log in");
  await expect.poll(() => page.getByLabel("Token").inputValue()).toBe(data.login.token);
  expect((await run(page, "Who am I?")).data.viewer.email).toBe(email);
  expect((await run(page, "Like a post")).data.likePost.viewerHasLiked).toBe(true);
  expect((await run(page, "Write a comment")).data.createComment.text).toBe("Well said!");
  // Without a picture the server says what is missing.
  expect((await run(page, "Publish a post (upload)")).errors[0].message).toMatch(/image/);
  await page.getByLabel("Picture").setInputFiles(await pictureFile());
  expect((await run(page, "Publish a post (upload)")).data.createPost.title).toBe("Hello");
  expect(await page.getByLabel("Response time").innerText()).toMatch(/^\d+ ms$/);

  // Each example opens a tab, and none of them, nor the history, keeps the password.
  expect(await page.locator(".graphiql-tab").count()).toBeGreaterThan(8);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(password);

  // A dialog adds a style sheet, which the policy allows by its nonce.
  await page.getByRole("button", { name: "Open settings dialog" }).click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
  await page.getByRole("link", { name: "Query", exact: true }).first().click();
  await page.getByRole("link", { name: "postsCount" }).waitFor();
  await page.getByRole("button", { name: "Show History" }).click();
  await page.getByLabel("History").getByText("Viewer").first().waitFor();

  await page.reload({ waitUntil: "networkidle" });
  expect(await page.getByLabel("Token").inputValue()).toBe(data.login.token);
  expect(foreign).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("one signs in beside the editor, or with the site's sign-in, and copies an operation as curl", async () => {
  const { page, context, complaints } = await openExplorer("/playground");
  const token = () => page.getByLabel("Token").inputValue();
  await page.getByText("Sign in", { exact: true }).first().click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("invalid email or password").waitFor();
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await expect.poll(token).not.toBe("");
  expect((await run(page, "Who am I?")).data.viewer.email).toBe(email);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(password);

  const admin = await logInAdmin();
  await page.evaluate((session) => localStorage.setItem("userInfo", JSON.stringify(session)), admin);
  await page.reload({ waitUntil: "networkidle" });
  await page.getByText("Signed in", { exact: true }).click();
  await page.getByRole("button", { name: "Use my sign-in of the blog" }).click();
  expect(await token()).toBe(admin.token);
  expect((await run(page, "Who am I?")).data.viewer.isAdmin).toBe(true);

  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`curl '${url}/graphql'`);
  expect(command).toContain("query Viewer");
  expect(command).not.toContain(admin.token);
  expect(complaints).toEqual([]);
  await context.close();
});

/** The colours of text and background, and of GraphiQL's base, as red, green and blue. */
const coloursOf = (page: Page) =>
  page.evaluate(() => {
    const context = document.createElement("canvas").getContext("2d")!;
    const paint = (...colours: string[]) => {
      for (const colour of colours) {
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
      }
      return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    };
    const [html, body] = [document.documentElement, document.body].map((each) => getComputedStyle(each));
    const container = document.querySelector(".graphiql-container");
    const base = container ? getComputedStyle(container).getPropertyValue("--color-base") : "";
    const background = [html!.backgroundColor, body!.backgroundColor];
    return {
      text: paint(body!.color),
      background: paint(...background),
      base: paint(`hsl(${base})`),
    };
  });

test.each(["light", "dark"] as const)("has the %s colours of the site", async (colorScheme) => {
  const { page, context } = await openExplorer("/", { colorScheme });
  const { text, background } = await coloursOf(page);
  await page.goto("/playground", { waitUntil: "networkidle" });
  const { base, ...shown } = await coloursOf(page);
  expect(shown).toEqual({ text, background });
  for (const [index, part] of base.entries()) expect(Math.abs(part - background[index]!)).toBeLessThan(4);
  await context.close();
});

test("on a phone the panes are below each other, as wide as the screen", async () => {
  const { page, context } = await openExplorer("/playground");
  await page.setViewportSize({ width: 390, height: 844 });
  const [editor, result] = await Promise.all(
    [".graphiql-query-editor", ".result-window"].map((pane) => page.locator(pane).boundingBox()),
  );
  for (const pane of [editor, result]) expect(pane?.width).toBeGreaterThan(250);
  expect(result?.y).toBeGreaterThan((editor?.y ?? 0) + (editor?.height ?? 0));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await context.close();
});

test("a URL may contain an operation, also at /playground, and the page links to the other documentation", async () => {
  const { page, context, complaints, foreign } = await openExplorer("/playground?query={postsCount}");
  expect(await textOf(page, ".graphiql-query-editor")).toBe("{postsCount}");
  await page.locator(".graphiql-query-editor .CodeMirror").click();
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => responseIn(page).innerText()).toMatch(/"postsCount": \d+/);
  for (const path of ["/schema.graphql", "/api/docs", "/"])
    expect(await page.locator(`header a[href="${path}"]`).count()).toBe(1);
  expect([foreign, complaints]).toEqual([[], []]);
  await context.close();
});

test("the curl command of the upload example publishes a post", async () => {
  const [{ category }] = (await (await fetch(`${url}/api/posts`)).json()) as [{ category: string }];
  const { query = "" } = examples.find(({ title }) => title.includes("upload")) ?? {};
  const args = [...query.replaceAll("CATEGORY", category).matchAll(/-([HF]) (["'])(.*)\2/g)].map(
    ([, kind, , text = ""]) => ({ kind, text }),
  );
  const login = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  const { token } = (await login.json()) as { token: string };
  const form = new FormData();
  for (const { text } of args.filter(({ kind }) => kind === "F")) {
    const [name = "", value = ""] = [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)];
    if (value.startsWith("@")) form.append(name, await aPicture(), value.slice(1));
    else form.append(name, value);
  }
  const headers = args
    .filter(({ kind }) => kind === "H")
    .map(({ text }) => text.replace("$TOKEN", token).split(": ") as [string, string]);
  const response = (await (
    await fetch(`${url}/graphql`, { method: "POST", headers, body: form })
  ).json()) as any;
  expect(response).toEqual({ data: { createPost: { id: expect.any(String) } } });
});

async function aPicture(): Promise<Blob> {
  const [post] = (await (await fetch(`${url}/api/posts`)).json()) as { image: { url: string } }[];
  return (await fetch(post?.image.url ?? "")).blob();
}

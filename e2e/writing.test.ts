import type { Browser } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, signIn, visit } from "./testing/browser.ts";
import { givenBlog } from "./testing/given-blog.ts";
import { expectVisible } from "./testing/stage.ts";
import { fillPost, makePicture, publish, toast, tokenOf, visitSignedIn } from "./testing/writing.ts";

const { url, password } = givenBlog;
const picture = await makePicture();
const WRITER = "Maya Lindqvist";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Finds another author's post: the one with most comments by the demo's writer. */
async function findTalk() {
  const query = `{ posts(first: 30) { nodes { id user { username } comments(first: 50) { nodes { username } } } } }`;
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers,
    body: JSON.stringify({ query }),
  });
  const { data } = (await response.json()) as any;
  const others = data.posts.nodes.filter((post: any) => post.user.username !== WRITER);
  const talks = others.map(({ id, comments: { nodes } }: any) => {
    const own = nodes.filter((each: any) => each.username === WRITER).length as number;
    return { id: id as string, own, comments: nodes.length as number };
  });
  return talks.sort((a: any, b: any) => b.own - a.own)[0];
}

describe("the author of a post", () => {
  test("edits it in a modal with every field, and unsent changes are kept", async () => {
    const { page, context, complaints } = await visitSignedIn(browser);
    const id = await publish(page, "A first title");
    await page.goto(`/posts/details/${id}`);
    await page.getByRole("button", { name: "Edit post" }).click();
    const modal = page.getByRole("dialog", { name: "Update Post" });
    expect((await modal.boundingBox())?.width).toBe(478);
    // A long title is shown in full, and the button stays in sight below a long text.
    const height = async () => (await page.getByLabel("Post Title").boundingBox())?.height ?? 0;
    const before = await height();
    await page
      .getByLabel("Post Title")
      .fill("A title that is far too long for a single line of this narrow dialog");
    expect(await height()).toBeGreaterThan(before);
    await page.getByLabel("Post Description").fill("One more line.\n".repeat(60));
    const button = await modal.getByRole("button", { name: "Update Post" }).boundingBox();
    expect(button!.y + button!.height).toBeLessThanOrEqual(800);
    await page.getByLabel("Post Description").fill("Ten words or so.");
    await page.getByLabel("Post Title").fill("  ");
    await modal.getByRole("button", { name: "Update Post" }).click();
    await modal.getByText("post title is requierd").waitFor();
    await page.getByLabel("Post Title").fill("A second title");
    await page.keyboard.press("Escape");
    await modal.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Edit post" }).click();
    expect(await page.getByLabel("Post Title").inputValue()).toBe("A second title");
    await modal.getByRole("button", { name: "Discard" }).click();
    await expect.poll(() => page.getByLabel("Post Title").inputValue()).toBe("A first title");
    await page.getByLabel("Post Title").fill("A third title");
    await page.getByLabel("Category").selectOption("Food");
    await modal.getByRole("button", { name: "Update Post" }).click();
    await modal.waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1, name: "A third title" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "A third title" }).waitFor();
    await page.getByRole("link", { name: "Food" }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem("drafts"))).toBeNull();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("leaves no draft of a text that came with CR LF by typing and deleting a letter", async () => {
    const { page, context } = await visitSignedIn(browser);
    await page.goto(`/posts/details/${await publish(page, "Two lines", "one\r\ntwo, long enough")}`);
    const open = async () => {
      await page.getByRole("button", { name: "Edit post" }).click();
      await expect.poll(() => page.getByLabel("Post Description").inputValue()).toBe("one\ntwo, long enough");
    };
    await open();
    await page.getByLabel("Post Description").press("x");
    await page.getByLabel("Post Description").press("Backspace");
    await page.getByRole("button", { name: "Close" }).click();
    await open();
    expect(await page.getByText(/^What you typed before/).count()).toBe(0);
    expect(await page.evaluate(() => localStorage.getItem("drafts"))).toBeNull();
    await context.close();
  });

  test("publishes no text that is too long, and keeps all of it", async () => {
    const { page, context } = await visitSignedIn(browser);
    await page.goto("/posts/create-post");
    await fillPost(page, "Much too long");
    await page.getByLabel("Picture").setInputFiles(picture);
    await page.getByLabel("Post Description").fill("a".repeat(60_060));
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.postData() ?? request.url()));
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await toast(page, "10,060 characters too long").waitFor();
    expect((await page.getByLabel("Post Description").inputValue()).length).toBe(60_060);
    expect(requests.filter((each) => each.includes("CreatePost"))).toEqual([]);
    await context.close();
  });

  test("replaces its picture", async () => {
    const { page, context, complaints } = await visitSignedIn(browser);
    const id = await publish(page, "A post for pictures");
    await page.goto(`/posts/details/${id}`);
    const shown = page.locator("figure .picture img:not(.hint)");
    const before = await shown.getAttribute("src");
    await page.getByRole("button", { name: "upload" }).click();
    await toast(page, "there is no images").waitFor();
    const [frame, field] = await Promise.all([
      page.locator("figure .picture").boundingBox(),
      page.getByLabel("Select New Image").boundingBox(),
    ]);
    expect(field!.y).toBeGreaterThan(frame!.y);
    expect(field!.y + field!.height).toBeLessThanOrEqual(frame!.y + frame!.height);
    await page.getByLabel("Select New Image").setInputFiles(picture);
    await page.getByRole("img", { name: "The picture you chose" }).waitFor();
    await page.getByRole("button", { name: "upload" }).click();
    await toast(page, "New post image updated successfully").waitFor();
    expect(await shown.getAttribute("src")).not.toBe(before);
    await page.getByRole("img", { name: "The picture you chose" }).waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    await context.close();
  });

  test.each([
    { width: 300, height: 450 },
    { width: 330, height: 240 },
    { width: 1200, height: 800 },
  ])("finds the controls of its picture on it ($width px)", async ({ width, height }) => {
    const { page, context } = await visitSignedIn(browser);
    const image = await sharp({ create: { width, height, channels: 3, background: "#84a" } })
      .png()
      .toBuffer();
    const id = await publish(page, `A picture of ${width}`, undefined, image);
    for (const size of [390, 1280]) {
      await page.setViewportSize({ width: size, height: 800 });
      await page.goto(`/posts/details/${id}`);
      const controls = [page.locator(".on-picture .field"), page.getByRole("button", { name: "upload" })];
      await expectVisible(...controls);
      const frame = (await page.locator("figure .picture").boundingBox())!;
      for (const control of controls) {
        const box = (await control.boundingBox())!;
        expect(box.x, `${size} px`).toBeGreaterThanOrEqual(frame.x);
        expect(box.x + box.width, `${size} px`).toBeLessThanOrEqual(frame.x + frame.width);
        expect(box.y + box.height, `${size} px`).toBeLessThanOrEqual(frame.y + frame.height);
      }
    }
    await context.close();
  });

  test("deletes it after confirmation, is redirected to the profile, and no list shows it", async () => {
    const { page, context, complaints } = await visitSignedIn(browser);
    const id = await publish(page, "Gone tomorrow");
    await page.goto("/");
    await page.getByRole("heading", { name: "Gone tomorrow" }).getByRole("link").click();
    await page.getByRole("button", { name: "Delete post" }).click();
    const question = page.getByRole("dialog", { name: "Are you sure?" });
    await question.getByText("Once deleted, you will not be able to recover this post!").waitFor();
    await question.getByText("Gone tomorrow", { exact: true }).waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Delete post" }).click();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.postData() ?? request.url()));
    await question.getByRole("button", { name: "OK" }).click();
    await page.waitForURL("**/profile/*");
    await toast(page, "post has been deleted successfully").waitFor();
    await page.getByRole("heading", { name: "Maya Lindqvist Posts" }).waitFor();
    expect(requests.filter((each) => each.includes("HomePage"))).toEqual([]);
    expect(requests.filter((each) => each.includes("PostDetailsPage"))).toEqual([]);
    await page.route("**/graphql**", (route) => route.abort());
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await page.getByRole("heading", { name: "Welcome to Blog" }).waitFor();
    expect(await page.getByRole("article").count()).toBe(2);
    expect(await page.getByText("Gone tomorrow").count()).toBe(0);
    expect((await fetch(`${url}/api/posts/${id}`)).status).toBe(404);
    expect(complaints.filter((each) => !each.includes("ERR_FAILED"))).toEqual([]);
    await context.close();
  });

  test("alone sees the tools; the server's HTML is the same for everybody", async () => {
    const { page, context } = await visitSignedIn(browser);
    const talk = await findTalk();
    await page.goto(`/posts/details/${talk.id}`, { waitUntil: "networkidle" });
    await page.getByLabel("Add a comment").waitFor();
    expect(await page.getByRole("button", { name: /^(Edit|Delete) post/ }).count()).toBe(0);
    expect(await page.getByLabel("Select New Image").count()).toBe(0);
    expect(talk.own).toBeGreaterThan(0);
    expect(talk.comments).toBeGreaterThan(talk.own);
    expect(await page.getByRole("button", { name: "Delete comment" }).count()).toBe(talk.own);
    expect(await page.getByRole("button", { name: "Edit comment" }).count()).toBe(talk.own);
    const headers = { authorization: `Bearer ${await tokenOf(page)}` };
    const [mine, theirs] = await Promise.all(
      [{ headers }, {}].map(async (options) => (await fetch(page.url(), options)).text()),
    );
    expect(mine).toBe(theirs);
    await context.close();
  });

  test("an admin can delete other users' content, but not edit it", async () => {
    const { page, context } = await visit(browser, url);
    await signIn(page, "admin@example.com", password);
    const talk = await findTalk();
    await page.goto(`/posts/details/${talk.id}`);
    await page.getByRole("button", { name: "Delete post" }).waitFor();
    expect(await page.getByRole("button", { name: "Edit post" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Edit comment" }).count()).toBe(0);
    const comments = page.getByRole("button", { name: "Delete comment" });
    await expect.poll(() => comments.count()).toBe(talk.comments);
    await context.close();
  });
});

describe("a comment", () => {
  test("is scrolled to and announced, edited and deleted, and the count is updated", async () => {
    const { page, context, complaints } = await visitSignedIn(browser);
    const id = await publish(page, "Much to say");
    await page.goto(`/posts/details/${id}`);
    await page.getByLabel("Add a comment").fill("First of all");
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    const item = page.locator(".comment-item");
    await item.getByText("First of all").waitFor();
    await page.getByRole("status").getByText("Your comment is published").waitFor({ state: "attached" });
    expect(await page.getByLabel("Add a comment").inputValue()).toBe("");
    const box = await item.boundingBox();
    expect(box!.y + box!.height).toBeLessThanOrEqual(800);
    await page.getByRole("heading", { name: "1 Comments" }).waitFor();

    await page.getByRole("button", { name: "Edit comment" }).click();
    const modal = page.getByRole("dialog", { name: "Edit Comment" });
    await modal.getByLabel("Comment").fill(" ");
    await modal.getByRole("button", { name: "Edit Comment" }).click();
    await modal.getByText("please write something").waitFor();
    await modal.getByLabel("Comment").fill("Second thoughts");
    await modal.getByRole("button", { name: "Edit Comment" }).click();
    await modal.waitFor({ state: "detached" });
    await item.getByText("Second thoughts").waitFor();

    await page.getByRole("button", { name: "Delete comment" }).click();
    const question = page.getByRole("dialog", { name: "Are you sure?" });
    await question.getByText("Once deleted, you will not be able to recover this comment!").waitFor();
    await question.getByRole("button", { name: "OK" }).click();
    await toast(page, "comment has been deleted").waitFor();
    expect(await item.count()).toBe(0);
    await page.getByRole("heading", { name: "0 Comments" }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("0 Comments");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("is restored after a failed deletion or edit, with the reason and the input", async () => {
    const { page, context } = await visitSignedIn(browser);
    const id = await publish(page, "Hard to change");
    await page.goto(`/posts/details/${id}`);
    await page.getByLabel("Add a comment").fill("Stays");
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    const item = page.locator(".comment-item");
    await item.getByText("Stays").waitFor();
    await page.getByRole("button", { name: "Delete comment" }).click();
    await page.getByRole("button", { name: "Edit comment" }).waitFor();
    await page.route("**/graphql**", (route) => route.abort());
    await page.getByRole("button", { name: "OK" }).click();
    await toast(page, "The server cannot be reached").waitFor();
    await item.getByText("Stays").waitFor();
    await page.getByRole("heading", { name: "1 Comments" }).waitFor();
    await page.getByRole("button", { name: "Edit comment" }).click();
    const modal = page.getByRole("dialog", { name: "Edit Comment" });
    await modal.getByLabel("Comment").fill("Stays too");
    await modal.getByRole("button", { name: "Edit Comment" }).click();
    await modal.getByRole("alert").getByText("The server cannot be reached").waitFor();
    expect(await modal.getByLabel("Comment").inputValue()).toBe("Stays too");
    await context.close();
  });
});

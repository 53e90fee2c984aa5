// @vitest-environment jsdom
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { data, renderWith, toasts } from "../../testing/render.tsx";
import { CreatePostForm } from "./create-post-form.tsx";
import { PostTools } from "./post-tools.tsx";

vi.mock("idb-keyval", () => ({ get: async () => undefined, set: async () => {}, del: async () => {} }));

const categories = [{ __typename: "Category", id: "c", title: "Places" }];
const PostFields = data({ categories });

const text = () => screen.getByLabelText<HTMLTextAreaElement>("Post Description");

test("missing input: the contract's words in the toast, plain ones at each field", async () => {
  const { user } = renderWith(<CreatePostForm owner="maya" onCreated={() => {}} />, { PostFields });
  await user.click(screen.getByRole("button", { name: "Create" }));
  await waitFor(() => expect(toasts()).toEqual(["post title is requierd"]));
  for (const words of [
    "enter a title",
    "select a category",
    "write the text of the post",
    "choose a picture",
  ])
    expect(screen.getByText(`Please ${words}.`)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Post Title"));
});

test("60 060 pasted characters are not truncated, and the excess is shown", async () => {
  const { user } = renderWith(<CreatePostForm owner="maya" onCreated={() => {}} />, { PostFields });
  await user.click(text());
  await user.paste("a".repeat(60_060));
  expect(text().value).toHaveLength(60_060);
  expect(screen.getByText("10,060 characters too long")).toBeTruthy();
  expect(text().getAttribute("aria-invalid")).toBe("true");
});

test("a hint explains the supported Markdown", async () => {
  renderWith(<CreatePostForm owner="maya" onCreated={() => {}} />, { PostFields });
  const hint = document.getElementById(text().getAttribute("aria-describedby") ?? "");
  expect(hint?.textContent).toMatch(/^Markdown works: \*\*bold\*\*.*tables and footnotes/);
  await screen.findByRole("option", { name: "Places" });
});

const image = {
  __typename: "Image",
  url: "/a.jpg",
  srcset: "",
  width: 3,
  height: 2,
  avifSrcset: "",
  placeholder: "",
  alt: "",
};
const post = {
  __typename: "Post",
  id: "p",
  title: "A first title",
  category: "Places",
  tags: [],
  headings: [],
  description: "Ten words or so.",
  descriptionHtml: "<p>Ten words or so.</p>",
  excerpt: "Ten words or so.",
  createdAt: "2026-11-20T10:00:00.000Z",
  likeCount: 0,
  commentCount: 0,
  readingMinutes: 1,
  image,
  user: { __typename: "Profile", id: "maya", username: "Maya", bio: null, profilePhoto: image },
};

const tools = (
  <PostTools
    post={post as never}
    rights={{ __typename: "Post", id: "p", viewerCanEdit: true, viewerCanDelete: true }}
    viewerId="maya"
    onDeleted={() => {}}
  />
);

test("Enter in the growing title updates the post, without line breaks in the title", async () => {
  const responses = { PostFields, PostSource: data({ post }), UpdatePost: data({ updatePost: post }) };
  const { user, sent } = renderWith(tools, responses);
  await user.click(screen.getByRole("button", { name: "Edit post" }));
  const title = await screen.findByLabelText("Post Title");
  await user.clear(title);
  await user.paste("Two\nlines");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent.find(({ name }) => name === "UpdatePost")?.variables.input.title).toBe("Two lines");
  expect(screen.getByText("Saved")).toBeTruthy();
});

test("60 060 pasted characters are neither truncated nor sent by the update dialog", async () => {
  const { user, sent } = renderWith(tools, { PostFields, PostSource: data({ post }) });
  await user.click(screen.getByRole("button", { name: "Edit post" }));
  await user.clear(await screen.findByLabelText("Post Description"));
  await user.paste("a".repeat(60_060));
  await user.click(screen.getByRole("button", { name: "Update Post" }));
  await waitFor(() => expect(toasts()).toEqual(["10,060 characters too long"]));
  expect(text().value).toHaveLength(60_060);
  expect(screen.getByText("10,060 characters too long", { selector: ".error" })).toBeTruthy();
  expect(sent.map(({ name }) => name)).not.toContain("UpdatePost");
});

test("the confirmation of a deletion names the post", async () => {
  const { user } = renderWith(tools);
  await user.click(screen.getByRole("button", { name: "Delete post" }));
  const question = screen.getByRole("dialog", { name: "Are you sure?" });
  expect(within(question).getByText("A first title")).toBeTruthy();
  expect(within(question).getByText("Once deleted, you will not be able to recover this post!")).toBeTruthy();
});

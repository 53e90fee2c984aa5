// @vitest-environment jsdom
import { cleanup, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { data, refusal, renderWith, toasts } from "../../testing/render.tsx";
import { CreatePostForm } from "./create-post-form.tsx";

vi.mock("idb-keyval", () => ({ get: async () => undefined, set: async () => {}, del: async () => {} }));

const image = new File(["a"], "a.jpg", { type: "image/jpeg" });
// jsdom's forms do not contain the files that a test chooses.
const read = FormData.prototype.get;
vi.spyOn(FormData.prototype, "get").mockImplementation(function (this: FormData, name) {
  return name === "image" ? image : read.call(this, name);
});

const lost = () => {
  throw new TypeError("fetch failed");
};

/** A server with drafts and posts; `failing` operations do their work, but their answer is lost. */
const server = { drafts: new Map<string, object>(), posts: new Map<string, string>(), failing: "" };
beforeEach(() => {
  server.drafts.clear();
  server.posts.clear();
  server.failing = "";
});
const answer = (name: string, fields: Record<string, unknown>) => {
  if (server.failing !== name) return data(fields);
  server.failing = "";
  return lost();
};
const responses = {
  PostFields: data({ categories: [{ __typename: "Category", id: "c", title: "Places" }] }),
  UploadCover: () => answer("UploadCover", { uploadPicture: { __typename: "Picture", id: "picture" } }),
  SaveDraft: ({ id, input }: { id: string; input: object }) => {
    server.drafts.set(id, input);
    const saveDraft = { __typename: "Draft", id, version: 1, updatedAt: "2026-11-24T12:00:00.000Z" };
    return answer("SaveDraft", { saveDraft });
  },
  PublishDraft: ({ id }: { id: string }) => {
    if (server.drafts.delete(id)) server.posts.set(id, `post ${server.posts.size + 1}`);
    return answer("PublishDraft", { publishDraft: { __typename: "Post", id: server.posts.get(id) } });
  },
  DeleteDraft: ({ id }: { id: string }) => {
    server.drafts.delete(id);
    return data({ deleteDraft: { __typename: "DeletedDraft", id, message: "draft has been deleted" } });
  },
};

async function open(others: Parameters<typeof renderWith>[1] = {}) {
  const onCreated = vi.fn();
  const opened = renderWith(<CreatePostForm owner="maya" onCreated={onCreated} />, {
    ...responses,
    ...others,
  });
  await screen.findByRole("option", { name: "Places" });
  const create = async (title: string) => {
    const field = screen.getByLabelText("Post Title");
    await opened.user.clear(field);
    await opened.user.type(field, title);
    await opened.user.selectOptions(screen.getByLabelText("Category"), "Places");
    const text = screen.getByLabelText<HTMLTextAreaElement>("Post Description");
    if (!text.value) await opened.user.type(text, "It was early.");
    await opened.user.click(screen.getByRole("button", { name: "Create" }));
    await waitFor(() => expect(screen.getByRole("button", { name: "Create" }).ariaBusy).not.toBe("true"));
  };
  const published = (id: string) => waitFor(() => expect(onCreated).toHaveBeenCalledExactlyOnceWith(id));
  return { ...opened, create, published };
}

test.each(["UploadCover", "SaveDraft", "PublishDraft"])(
  "the answer to %s is lost: Create, pressed again after a reload, makes one post and leaves no draft",
  async (name) => {
    server.failing = name;
    const { create } = await open();
    await create("A walk");
    await waitFor(() => expect(toasts()).toHaveLength(1));
    cleanup();
    const again = await open();
    await again.create("A walk");
    await again.published("post 1");
    expect([server.posts.size, server.drafts.size]).toEqual([1, 0]);
  },
);

test("an input that was changed after a lost answer is a post of its own, and leaves no draft", async () => {
  server.failing = "SaveDraft";
  const { create, published } = await open();
  await create("A walk");
  await waitFor(() => expect(toasts()).toHaveLength(1));
  await create("A longer walk");
  await published("post 1");
  expect([server.posts.size, server.drafts.size]).toEqual([1, 0]);
});

test("a refused post leaves no draft, and its form keeps the input", async () => {
  const fields = { category: "this category does not exist" };
  const { create } = await open({
    PublishDraft: refusal({ message: fields.category, code: "BAD_USER_INPUT", fields }),
  });
  await create("A walk");
  await waitFor(() => expect(toasts()).toEqual([fields.category]));
  expect(server.drafts.size).toBe(0);
  expect(screen.getByLabelText<HTMLInputElement>("Post Title").value).toBe("A walk");
});

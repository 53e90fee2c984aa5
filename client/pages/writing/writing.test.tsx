// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { expireSession } from "../../features/accounts/session.ts";
import { storeCopy, readCopy } from "../../features/writing/browser-copies.ts";
import { categories, draft, draftsOf, field, ID, open, status } from "../../testing/drafts.tsx";
import { address, data, refusal, toasts } from "../../testing/render.tsx";

test("a text is saved while one types, and Ctrl+S saves at once", async () => {
  const { user, sent } = open({});
  await user.type(await field("Text"), " But pigeons.");
  expect(readCopy("maya", ID)?.description).toBe("Nobody was there. But pigeons.");
  expect(status()).toContain("Saving…");
  await user.keyboard("{Control>}s{/Control}");
  await waitFor(() => expect(status().join()).toMatch(/Saved \d\d:\d\d/));
  expect(sent.at(-1)?.variables).toEqual({
    id: ID,
    version: 3,
    input: { title: "A walk", category: "Places", description: "Nobody was there. But pigeons." },
  });
  expect(readCopy("maya", ID)).toBeNull();
});

test("buttons and keys format the selection, Enter continues a list, and words are counted", async () => {
  const { user } = open({});
  const text = await field("Text");
  await user.clear(text);
  await user.type(text, "sea");
  text.setSelectionRange(0, 3);
  await user.keyboard("{Control>}b{/Control}");
  expect(text.value).toBe("**sea**");
  await user.click(screen.getByRole("button", { name: "Bold" }));
  expect(text.value).toBe("sea");
  await user.click(screen.getByRole("button", { name: "List" }));
  text.setSelectionRange(5, 5);
  await user.keyboard("{Enter}two words");
  expect(text.value).toBe("- sea\n- two words");
  expect(screen.getByText("3 words · 1 min to read")).toBeTruthy();
  text.setSelectionRange(2, 5);
  await user.paste("https://a.example");
  expect(text.value).toBe("- [sea](https://a.example)\n- two words");
  screen.getByRole("button", { name: "Bold" }).focus();
  await user.keyboard("{ArrowRight}");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Italic" }));
  await user.tab();
  expect(document.activeElement).toBe(text);
});

test("formatted text is pasted as Markdown, in code as it is", async () => {
  const { user } = open({});
  const text = await field("Text");
  await user.clear(text);
  const copied = {
    "text/plain": "Moss is green",
    "text/html": "<meta charset=utf-8><p>Moss is <b>green</b></p>",
  };
  const paste = () => {
    const clipboardData = {
      files: [],
      types: Object.keys(copied),
      getData: (type: keyof typeof copied) => copied[type],
    };
    fireEvent.paste(text, { clipboardData });
  };
  paste();
  await waitFor(() => expect(text.value).toBe("Moss is **green**"));
  fireEvent.change(text, { target: { value: "```\n" } });
  text.setSelectionRange(4, 4);
  paste();
  await new Promise((done) => setTimeout(done, 50));
  expect(text.value).toBe("```\n");
});

test("the preview shows the text as the server renders it", async () => {
  const PreviewMarkdown = ({ text }: { text: string }) => data({ previewMarkdown: `<h2>${text}</h2>` });
  const { user } = open({ PreviewMarkdown });
  await user.click(await screen.findByRole("button", { name: "Preview" }));
  await screen.findByRole("heading", { name: "Nobody was there." });
  await user.type(await field("Text"), "!");
  await screen.findByRole("heading", { name: "Nobody was there.!" });
});

test("a draft with a picture is published, and leads to its post", async () => {
  const picture = { __typename: "Picture", id: "p" };
  const { user, sent } = open({
    DraftPage: data({ draft: { ...draft, picture }, categories }),
    PublishDraft: data({ publishDraft: { __typename: "Post", id: "post-1" } }),
  });
  await user.type(await field("Text"), "!");
  await user.click(screen.getByRole("button", { name: "Publish…" }));
  await user.click(screen.getByRole("button", { name: "Publish" }));
  await waitFor(() => expect(address()).toBe("/posts/details/post-1"));
  expect(sent.slice(-2).map(({ name, variables }) => [name, variables.version])).toEqual([
    ["SaveDraft", 3],
    ["PublishDraft", 4],
  ]);
});

test("a new post needs a picture, and a refused draft says why and stays", async () => {
  const { user, sent } = open({});
  await user.click(await screen.findByRole("button", { name: "Publish…" }));
  await user.click(screen.getByRole("button", { name: "Publish" }));
  expect(sent.map(({ name }) => name)).not.toContain("PublishDraft");
  expect((await field("Picture")).getAttribute("aria-invalid")).toBe("true");
  expect((await field("Text")).value).toBe("Nobody was there.");
});

test("a preview link can be created and revoked, and shows the draft to everybody with it", async () => {
  let previewUrl: string | null = null;
  const link = () => ({ ...draft, previewUrl });
  const { user } = open({
    DraftPreviewLink: () => data({ draft: link() }),
    CreatePreviewLink: () => {
      previewUrl = "https://blog.test/preview/secret";
      return data({ createPreviewLink: link() });
    },
    RevokePreviewLink: () => {
      previewUrl = null;
      return data({ revokePreviewLink: link() });
    },
  });
  await user.click(await screen.findByRole("button", { name: "Publish…" }));
  await user.click(screen.getByRole("button", { name: "Create a preview link" }));
  expect((await screen.findByLabelText<HTMLInputElement>("Preview link")).value).toBe(
    "https://blog.test/preview/secret",
  );
  await user.click(screen.getByRole("button", { name: "Revoke the link" }));
  await screen.findByRole("button", { name: "Create a preview link" });
});

test("a preview shows title, text and author, and a revoked one says so", async () => {
  const user = { __typename: "Profile", id: "maya", username: "Maya" };
  const shown = { ...draft, descriptionHtml: "<p>Nobody was there.</p>", image: null, user };
  open({ PreviewPage: data({ preview: shown }) }, "/preview/secret");
  await screen.findByRole("heading", { name: "A walk" });
  expect(screen.getByText("Nobody was there.")).toBeTruthy();
  cleanup();
  open({ PreviewPage: data({ preview: null }) }, "/preview/gone");
  await screen.findByText("This preview link does not exist any more");
});

test("'Edit in full page' opens the draft of a post", async () => {
  open({ EditPost: data({ editPost: { __typename: "Draft", id: ID } }) }, "/posts/edit/post-1");
  await waitFor(() => expect(address()).toBe(`/drafts/${ID}`));
  expect((await field("Title")).value).toBe("A walk");
});

test("a new draft gets an id, begins in its title, and is saved when something is written", async () => {
  const { user, sent } = open({}, "/drafts/new");
  const title = await field("Title");
  expect(address()).toMatch(/^\/drafts\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(document.activeElement).toBe(title);
  await user.keyboard("By the sea{Enter}Waves{Control>}s{/Control}");
  await waitFor(() => expect(status().join()).toMatch(/Saved/));
  expect(sent.at(-1)?.variables).toMatchObject({
    version: 0,
    input: { title: "By the sea", description: "Waves" },
  });
});

test("a new draft stays open when it is about to be published", async () => {
  const loaded = { ...draft, previewUrl: null };
  const { user } = open({ DraftPreviewLink: ({ id }) => data({ draft: { ...loaded, id } }) }, "/drafts/new");
  await user.type(await field("Title"), "By the sea");
  await user.click(screen.getByRole("button", { name: "Publish…" }));
  await screen.findByRole("button", { name: "Create a preview link" });
  expect((await field("Title")).value).toBe("By the sea");
  expect(screen.getByRole("button", { name: "Publish" })).toBeTruthy();
});

test("two texts of one draft are shown with their differences and side by side; both can be kept", async () => {
  storeCopy("maya", ID, { title: "A walk", category: "", description: "My text", version: 2 });
  const { user, sent } = open({});
  await screen.findByRole("heading", { name: "This draft was changed in two places" });
  const mine = screen.getByRole("region", { name: "In this browser" });
  expect(within(mine).getByText("My text")).toBeTruthy();
  expect(screen.getByRole("group", { name: /^Text: Saved/ }).textContent).toBe("Nobody was there.");
  const differences = screen.getByRole("region", { name: "Differences" });
  expect([...differences.querySelectorAll("del, ins")].map(({ outerHTML }) => outerHTML).join("")).toBe(
    "<del>Places</del><del>Nobody was there.</del><ins>My text</ins>",
  );
  expect(sent.filter(({ name }) => name === "SaveDraft")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Keep both" }));
  await waitFor(() => expect(sent.filter(({ name }) => name === "SaveDraft")).toHaveLength(2));
  const [other, own] = sent.filter(({ name }) => name === "SaveDraft").map(({ variables }) => variables);
  expect(other).toMatchObject({ version: 0, input: { description: "Nobody was there." } });
  expect(other.id).not.toBe(ID);
  expect(own).toMatchObject({ id: ID, version: 3, input: { description: "My text" } });
  expect((await field("Text")).value).toBe("My text");
});

test("a conflict while writing asks too, and the saved text can be chosen", async () => {
  const current = { ...draft, version: 4, description: "From my phone" };
  const { user } = open({
    SaveDraft: { errors: [{ message: "changed", extensions: { code: "CONFLICT", current } }] },
  });
  await user.type(await field("Text"), "!");
  await user.keyboard("{Control>}s{/Control}");
  await user.click(await screen.findByRole("button", { name: "Keep the saved text" }));
  expect((await field("Text")).value).toBe("From my phone");
  expect(readCopy("maya", ID)).toBeNull();
});

test("a refused save says why and keeps the text; a deleted draft can become a new one", async () => {
  let response = refusal({ message: "the title is too long", code: "BAD_USER_INPUT" });
  const { user } = open({ SaveDraft: () => response });
  await user.type(await field("Text"), "!{Control>}s{/Control}");
  await waitFor(() =>
    expect(status().join()).toContain("Not saved: the title is too long (kept in this browser)"),
  );
  response = refusal({ message: "draft not found", code: "NOT_FOUND" });
  await user.type(await field("Text"), "!{Control>}s{/Control}");
  await user.click(await screen.findByRole("button", { name: "Keep as a new draft" }));
  await waitFor(() => expect(address()).not.toBe(`/drafts/${ID}`));
  await waitFor(async () => expect((await field("Text")).value).toBe("Nobody was there.!!"));
});

test("an expired session leaves the editor open, and nothing is sent until its owner is back", async () => {
  const { user, sent } = open({});
  const text = await field("Text");
  await user.type(text, "!");
  const session = localStorage.getItem("userInfo")!;
  act(expireSession);
  await user.type(text, "?{Control>}s{/Control}");
  expect(text.value).toBe("Nobody was there.!?");
  expect(status()).toContain("Your session has ended: kept in this browser");
  expect(screen.getByRole("link", { name: "Log in" }).getAttribute("href")).toBe("/login");
  expect(readCopy("maya", ID)?.description).toBe("Nobody was there.!?");
  expect(sent.map(({ name }) => name)).not.toContain("SaveDraft");
  localStorage.setItem("userInfo", session);
  act(() => void dispatchEvent(new StorageEvent("storage", { key: "userInfo" })));
  await waitFor(() => expect(status().join()).toMatch(/Saved \d\d:\d\d/));
  expect(text.value).toBe("Nobody was there.!?");
});

test("a logout in another tab closes the editor", async () => {
  open({});
  await field("Text");
  localStorage.removeItem("userInfo");
  act(() => void dispatchEvent(new StorageEvent("storage", { key: "userInfo" })));
  await screen.findByText("Home");
});

test("a refused publication says why the text is not saved", async () => {
  const picture = { __typename: "Picture", id: "p" };
  const SaveDraft = refusal({ message: "the title is too long", code: "BAD_USER_INPUT" });
  const { user } = open({ DraftPage: data({ draft: { ...draft, picture }, categories }), SaveDraft });
  await user.type(await field("Text"), "!");
  await user.click(screen.getByRole("button", { name: "Publish…" }));
  await user.click(screen.getByRole("button", { name: "Publish" }));
  await waitFor(() => expect(toasts()).toContain("Not saved: the title is too long (kept in this browser)"));
});

test("nobody finds a draft that is not theirs", async () => {
  open({ DraftPage: data({ draft: null, categories }) });
  await screen.findByText("draft not found");
});

test("a visitor is sent home", async () => {
  localStorage.clear();
  open({});
  await screen.findByText("Home");
});

test("the list shows what is saved and what only this browser has, and deletes after confirmation", async () => {
  storeCopy("maya", ID.replaceAll("1", "2"), { title: "", category: "", description: "Offline", version: 0 });
  let nodes = [draft];
  const DraftsPage = () => draftsOf(nodes);
  const DeleteDraft = ({ id }: { id: string }) => {
    nodes = [];
    return data({ deleteDraft: { __typename: "Deleted", id, message: "draft has been deleted" } });
  };
  const { user } = open({ DraftsPage, DeleteDraft }, "/drafts");
  await screen.findByRole("link", { name: "A walk" });
  expect(screen.getByRole("link", { name: "Untitled" })).toBeTruthy();
  for (const name of ["A walk", "Untitled"]) {
    await user.click(screen.getByRole("button", { name: `Delete draft ${name}` }));
    await user.click(screen.getByRole("button", { name: "OK" }));
    await waitFor(() => expect(screen.queryByRole("link", { name })).toBeNull());
  }
  expect(screen.getByText(/^Nothing begun/)).toBeTruthy();
});

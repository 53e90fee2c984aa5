// @vitest-environment jsdom
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { data, refusal, renderWith, toasts } from "../../testing/render.tsx";
import { CommentForm } from "./comment-form.tsx";
import { CommentList } from "./comment-list.tsx";

Element.prototype.scrollIntoView ??= () => {};

const image = {
  __typename: "Image" as const,
  url: "/a.jpg",
  srcset: "",
  width: 1,
  height: 1,
  avifSrcset: "",
  placeholder: "",
  alt: "",
};
const comment = (id: string, text: string) => ({
  __typename: "Comment" as const,
  id,
  text,
  createdAt: "2026-11-20T10:00:00.000Z",
  user: { __typename: "Profile" as const, id: "maya", username: "Maya", profilePhoto: image },
});
const rights = (id: string) => ({
  __typename: "Comment" as const,
  id,
  viewerCanEdit: true,
  viewerCanDelete: true,
});

const postWith = (comments: ReturnType<typeof comment>[]) => ({
  __typename: "Post" as const,
  id: "post",
  commentCount: comments.length,
  comments: {
    __typename: "CommentConnection" as const,
    nodes: comments,
    pageInfo: { __typename: "PageInfo" as const, endCursor: null, hasNextPage: false },
  },
});

const listOf = (comments: ReturnType<typeof comment>[]) => (
  <section>
    <CommentList
      post={postWith(comments) as never}
      rights={comments.map(({ id }) => rights(id))}
      viewerId="maya"
    />
  </section>
);

test("a blank separates the author of a comment from its time on both sides", () => {
  renderWith(listOf([comment("1", "Well said.")]));
  expect(screen.getByText("Maya").closest("p")?.textContent).toMatch(/^Maya · \S/);
});

const form = <CommentForm postId="post" owner="maya" onCreated={() => {}} />;
const input = () => screen.getByLabelText<HTMLTextAreaElement>("Add a comment");
const created = data({
  createComment: {
    ...comment("1", "Well said."),
    ...rights("1"),
    post: { __typename: "Post", id: "post", commentCount: 1 },
  },
});

test("a text that is too long is not truncated, but counted and not sent", async () => {
  const { user, sent } = renderWith(form, { CreateComment: created });
  await user.click(input());
  await user.paste("a".repeat(1_799));
  expect(screen.queryByText(/of 2,000 characters/)).toBeNull();
  await user.paste("a");
  expect(screen.getByText("1,800 of 2,000 characters")).toBeTruthy();
  await user.paste("b".repeat(1_260));
  expect(input().value).toHaveLength(3_060);
  expect(screen.getByText("1,060 characters too long")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Comment" }));
  await waitFor(() => expect(toasts()).toEqual(["1,060 characters too long"]));
  expect(sent).toEqual([]);
  await user.clear(input());
  await user.type(input(), "Well said.");
  await user.click(screen.getByRole("button", { name: "Comment" }));
  await waitFor(() => expect(sent.map(({ name }) => name)).toEqual(["CreateComment"]));
  await waitFor(() => expect(input().value).toBe(""));
});

test("a form takes no input while it is sent, and does again when that has failed", async () => {
  let answer: (response: typeof created) => void = () => undefined;
  const pending = new Promise<typeof created>((resolve) => (answer = resolve));
  const { user } = renderWith(form, { CreateComment: () => pending });
  await user.type(input(), "Well said");
  await user.click(screen.getByRole("button", { name: "Comment" }));
  await user.type(input(), ", really");
  expect(input().value).toBe("Well said");
  answer(refusal({ code: "UNAVAILABLE", message: "the server is busy" }));
  await waitFor(() => expect(toasts()).toHaveLength(1));
  await user.type(input(), ".");
  expect(input().value).toBe("Well said.");
});

test("a comment that is sent again has the key of its first attempt, and the next one another", async () => {
  const answers = [refusal({ code: "UNAVAILABLE", message: "the server is busy" }), created, created];
  const { user, sent } = renderWith(form, { CreateComment: () => answers.shift()! });
  const send = async (count: number) => {
    await user.click(screen.getByRole("button", { name: "Comment" }));
    await waitFor(() => expect(sent).toHaveLength(count));
  };
  await user.type(input(), "Well said.");
  await send(1);
  await waitFor(() => expect(toasts()).toHaveLength(1));
  await send(2);
  await waitFor(() => expect(input().value).toBe(""));
  await user.type(input(), "Well said.");
  await send(3);
  const [first, second, third] = sent.map(({ headers }) => headers?.["idempotency-key"]);
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test("a text that is too long is not sent from the edit dialog either", async () => {
  const { user, sent } = renderWith(listOf([comment("1", "a")]));
  await user.click(await screen.findByRole("button", { name: "Edit comment" }));
  const dialog = within(screen.getByRole("dialog", { name: "Edit Comment" }));
  const edited = dialog.getByLabelText<HTMLTextAreaElement>("Comment");
  await user.click(edited);
  await user.paste("a".repeat(1_798));
  expect(dialog.queryByText(/of 2,000 characters/)).toBeNull();
  await user.paste("a".repeat(1_261));
  await user.click(dialog.getByRole("button", { name: "Edit Comment" }));
  await waitFor(() => expect(toasts()).toEqual(["1,060 characters too long"]));
  expect(edited.value).toHaveLength(3_060);
  expect(sent).toEqual([]);
});

const saveElsewhere = (text: string) =>
  act(() => {
    localStorage.setItem("drafts", JSON.stringify({ owner: "maya", forms: { "comment on post": { text } } }));
    dispatchEvent(new StorageEvent("storage", { key: "drafts" }));
  });

test("a form without input shows what another tab saves", () => {
  renderWith(form);
  saveElsewhere("From the other tab");
  expect(input().value).toBe("From the other tab");
});

test("a form with input says that another tab has a different text, and either can be taken", async () => {
  const { user } = renderWith(form);
  await user.type(input(), "From this tab");
  saveElsewhere("From the other tab");
  expect(input().value).toBe("From this tab");
  expect(screen.getByText(/^Another tab has a different text/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Keep this one" }));
  expect(localStorage.getItem("drafts")).toContain("From this tab");
  saveElsewhere("From the other tab again");
  await user.click(screen.getByRole("button", { name: "Use that text" }));
  expect(input().value).toBe("From the other tab again");
});

const three = [comment("1", "First"), comment("2", "Second"), comment("3", "Third")];

test("after a deletion the next comment is focused, or the heading after the last one", async () => {
  const DeleteComment = ({ id }: { id: string }) =>
    data({ deleteComment: { __typename: "Deleted", id, message: "comment has been deleted" } });
  const { user, show } = renderWith(listOf(three), { DeleteComment });
  const remove = async (text: string, remaining: typeof three) => {
    const item = screen.getByText(text).closest("li")!;
    await user.click(await within(item).findByRole("button", { name: "Delete comment" }));
    const question = screen.getByRole("dialog", { name: "Are you sure?" });
    expect(within(question).getByText(text)).toBeTruthy();
    await user.click(within(question).getByRole("button", { name: "OK" }));
    show(listOf(remaining));
  };
  await remove("Second", [three[0]!, three[2]!]);
  await waitFor(() => expect(document.activeElement?.textContent).toContain("Third"));
  await remove("Third", [three[0]!]);
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "1 Comments" })),
  );
});

test("a comment stored with CR LF counts as unchanged when a letter is typed and deleted", async () => {
  const { user } = renderWith(listOf([comment("1", "One\r\ntwo")]));
  await user.click(await screen.findByRole("button", { name: "Edit comment" }));
  await user.type(screen.getByLabelText("Comment"), "x{Backspace}");
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(localStorage.getItem("drafts")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Edit comment" }));
  expect(screen.queryByText(/^What you typed before/)).toBeNull();
});

test("an edit shows errors inside its dialog, and Saved when it is done", async () => {
  const tooShort = refusal({
    message: '"text" is not allowed to be empty',
    code: "BAD_USER_INPUT",
    fields: { text: '"text" is not allowed to be empty' },
  });
  const responses = [tooShort, data({ updateComment: comment("1", "Better") })];
  const { user } = renderWith(listOf([three[0]!]), { UpdateComment: () => responses.shift() ?? tooShort });
  await user.click(await screen.findByRole("button", { name: "Edit comment" }));
  const dialog = screen.getByRole("dialog", { name: "Edit Comment" });
  await user.click(within(dialog).getByRole("button", { name: "Edit Comment" }));
  await vi.waitFor(() => within(dialog).getByText('"text" is not allowed to be empty'));
  expect(within(dialog).getByText("Please fill this in.")).toBeTruthy();
  await user.click(within(dialog).getByRole("button", { name: "Edit Comment" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByText("Saved")).toBeTruthy();
  expect(toasts()).toEqual([]);
});

// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { allPayloads } from "../../../e2e/testing/markdown-payloads.ts";
import { address, data, refusal, renderWith } from "../../testing/render.tsx";
import { PostHistoryPage } from "./history.tsx";

const ID = "11111111-1111-4111-8111-111111111111";
const states = [
  { title: "Moss and fern", description: "It grows where it is left alone, in the shade." },
  { title: "On moss", description: "It grows in the shade." },
];
const post = {
  __typename: "Post",
  id: ID,
  title: "Moss and fern",
  category: "Craft",
  description: "It thrives where it is left alone, in the shade.",
  updatedAt: "2026-11-22T12:00:00.000Z",
  viewerCanEdit: true,
};
const revisionOf = ({ title, description }: (typeof states)[number], index: number) => ({
  __typename: "Revision",
  id: `r${index}`,
  title,
  category: "Craft",
  description,
  createdAt: `2026-11-2${1 - index}T12:00:00.000Z`,
  editor: { __typename: "Profile", id: "maya", username: "Maya" },
});
const connection = (revisions: object[], more = false) => ({
  __typename: "RevisionConnection",
  nodes: revisions,
  edges: revisions.map((node: any) => ({ __typename: "RevisionEdge", cursor: `after ${node.id}`, node })),
  pageInfo: { __typename: "PageInfo", endCursor: "after r0", hasNextPage: more },
  totalCount: states.length,
});
const revisions = states.map(revisionOf);
const rest = (after?: string | null) => revisions.slice(after ? Number(after.slice(-1)) + 1 : 0);

const PostHistoryPage_ = data({ post: { ...post, revisions: connection(revisions) } });
const RevisionText = ({ after }: { after: string | null }) =>
  data({ post: { ...post, revisions: connection(rest(after).slice(0, 1)) } });

beforeEach(() =>
  localStorage.setItem("userInfo", JSON.stringify({ _id: "maya", username: "Maya", token: "t" })),
);

const open = (responses: Parameters<typeof renderWith>[1] = {}, id = ID) =>
  renderWith(
    <Routes>
      <Route path="/posts/history/:id" element={<PostHistoryPage />} />
      <Route path="/posts/details/:id" element={<p>The post</p>} />
    </Routes>,
    { PostHistoryPage: PostHistoryPage_, RevisionText, ...responses },
    `/posts/history/${id}`,
  );

const comparison = () => document.querySelector(".text-comparison")!;
const marked = (element: "ins" | "del") =>
  [...comparison().querySelectorAll(element)].map((each) => each.textContent);

test("each version is listed with date and editor, and compared with the present one word by word", async () => {
  const { user, sent } = open();
  await screen.findByText(/^Since then 1 word was removed/);
  expect([marked("del"), marked("ins")]).toEqual([["grows"], ["thrives"]]);
  const list = within(screen.getByRole("navigation", { name: "Earlier versions" }));
  const [newest, oldest] = list.getAllByRole("button");
  expect(newest?.textContent).toMatch(/^Sat Nov 21 2026, \d\d:\d\dMoss and fernMaya$/);
  expect(newest?.getAttribute("aria-current")).toBe("true");
  await user.click(oldest!);
  await screen.findByText(/^Since then 3 words were removed/);
  expect(marked("ins")).toContain("Moss and fern");
  expect(screen.getByRole("heading", { level: 2 }).textContent).toMatch(/^Version of Fri Nov 20 2026/);
  expect(sent.slice(-2).map(({ variables }) => variables.after)).toEqual([null, "after r0"]);
});

test("a version is restored after confirmation", async () => {
  const { user, sent } = open({ RestoreRevision: data({ restoreRevision: post }) });
  await user.click(await screen.findByRole("button", { name: "Restore this version" }));
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await user.click(screen.getByRole("button", { name: "Restore this version" }));
  await user.click(screen.getByRole("button", { name: "OK" }));
  await waitFor(() => expect(address()).toBe(`/posts/details/${ID}`));
  expect(screen.getByText("Restored")).toBeTruthy();
  expect(sent.filter(({ name }) => name === "RestoreRevision")).toMatchObject([{ variables: { id: "r0" } }]);
});

test("an admin sees the history of others' posts and cannot restore", async () => {
  open({
    PostHistoryPage: data({ post: { ...post, viewerCanEdit: false, revisions: connection(revisions) } }),
  });
  await screen.findByText(/^Since then/);
  expect(screen.queryByRole("button", { name: "Restore this version" })).toBeNull();
});

test("more versions are loaded, and a post that was changed meanwhile asks for it", async () => {
  const { user } = open({
    PostHistoryPage: ({ after }) =>
      data({
        post: { ...post, revisions: after ? connection(rest(after)) : connection([revisions[0]!], true) },
      }),
    RevisionText: data({ post: { ...post, revisions: connection([{ ...revisions[0], id: "r9" }]) } }),
  });
  await screen.findByText("This post has been changed meanwhile.");
  await user.click(screen.getByRole("button", { name: "Show more" }));
  const list = within(screen.getByRole("navigation", { name: "Earlier versions" }));
  await waitFor(() => expect(list.getAllByRole("listitem")).toHaveLength(2));
});

test("a post without versions, a missing one and a refusal say so", async () => {
  const { show } = open({ PostHistoryPage: data({ post: { ...post, revisions: connection([]) } }) });
  await screen.findByText("This post has not been changed since it was published.");
  show(null);
  open({ PostHistoryPage: data({ post: null }) });
  await screen.findByText("post not found");
  open({ PostHistoryPage: refusal({ message: "not allowed", code: "FORBIDDEN" }) });
  await screen.findByText("not allowed");
  open({}, "x");
  await screen.findByText("invalid id");
});

/** Payloads in one text. */
const BATCH = 8;

test("user content never becomes markup in a comparison", async () => {
  for (let first = 0; first < allPayloads.length; first += BATCH) {
    const batch = allPayloads.slice(first, first + BATCH);
    const payload = batch.join(" ");
    const [older, newer] = [`old ${payload}`, `new ${payload} more`];
    const hostile = { ...revisions[0], title: older, description: older, category: payload };
    const present = { ...post, title: newer, description: newer, category: `${payload}!` };
    const response = data({ post: { ...present, revisions: connection([hostile]) } });
    open({ PostHistoryPage: response, RevisionText: response });
    await screen.findByText(/^Since then/);
    const elements = [...comparison().querySelectorAll("*")].map((each) => each.tagName);
    expect(new Set(elements)).toEqual(new Set(["P", "H3", "DIV", "SPAN", "DEL", "INS"]));
    expect(document.querySelector("[xss], xss, script, img")).toBeNull();
    const text = comparison().querySelector(".text")?.textContent;
    for (const each of batch) expect(text).toContain(each);
    cleanup();
  }
}, 20_000);

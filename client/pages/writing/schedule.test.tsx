// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { toLocalTime } from "../../lib/local-time.ts";
import { draft, draftsOf, field, ID, open, status, updatedAt } from "../../testing/drafts.tsx";
import { address, data, refusal, toasts } from "../../testing/render.tsx";

const picture = { __typename: "Picture", id: "p" };
const time = new Date(2199, 0, 5, 7, 30);
const complete = { ...draft, picture };
const scheduled = { ...complete, publishAt: time.toISOString() };
const page = (shown: object) => data({ draft: shown, categories: [] });
const ScheduleDraft = ({ version, publishAt }: { version: number; publishAt: string | null }) =>
  data({ scheduleDraft: { ...complete, version: version + 1, updatedAt, publishAt, publishError: null } });

const enterTime = async (value: string) =>
  fireEvent.input(await field("Date and time"), { target: { value } });

test("a draft gets a time, which it shows in the writer's time zone, and can lose it again", async () => {
  const { user, sent } = open({ DraftPage: page(complete), ScheduleDraft });
  await user.type(await field("Text"), "!");
  await user.click(screen.getByRole("button", { name: "Publish…" }));
  await user.click(screen.getByLabelText("Publish at a time"));
  expect(screen.getByText(/^Time zone: /)).toBeTruthy();
  await enterTime(toLocalTime(time));
  await user.click(screen.getByRole("button", { name: "Schedule" }));
  await screen.findByText("Sat Jan 05 2199, 07:30");
  expect(sent.slice(-2).map(({ name, variables }) => [name, variables.version, variables.publishAt])).toEqual(
    [
      ["SaveDraft", 3, undefined],
      ["ScheduleDraft", 4, time.toISOString()],
    ],
  );
  expect(status()).toContain("This draft will be published at its time");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Publish…" }));

  await user.click(screen.getByRole("button", { name: "Unschedule" }));
  await waitFor(() => expect(screen.queryByText(/^Will be published/)).toBeNull());
  expect(sent.at(-1)?.variables).toEqual({ id: ID, version: 5, publishAt: null });
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Publish…" }));
});

test("the time of a draft can be changed, and left out to publish at once", async () => {
  const PublishDraft = data({ publishDraft: { __typename: "Post", id: "post-1" } });
  const { user, sent } = open({ DraftPage: page(scheduled), ScheduleDraft, PublishDraft });
  await user.click(await screen.findByRole("button", { name: "Change the time" }));
  expect((await field("Date and time")).value).toBe(toLocalTime(time));
  expect(document.activeElement).toBe(await field("Date and time"));
  await enterTime("2199-01-06T08:00");
  await user.click(screen.getByRole("button", { name: "Schedule" }));
  await screen.findByText("Sun Jan 06 2199, 08:00");
  await user.click(screen.getByRole("button", { name: "Publish…" }));
  await user.click(screen.getByLabelText("Publish at a time"));
  await user.click(screen.getByRole("button", { name: "Publish" }));
  await waitFor(() => expect(address()).toBe("/posts/details/post-1"));
  expect(sent.at(-1)).toMatchObject({ name: "PublishDraft", variables: { version: 4 } });
});

test("without a time, or with a past one, nothing is scheduled, and the form says why", async () => {
  const { user, sent } = open({ DraftPage: page(complete) });
  await user.click(await screen.findByRole("button", { name: "Publish…" }));
  await user.click(screen.getByLabelText("Publish at a time"));
  await user.click(screen.getByRole("button", { name: "Schedule" }));
  expect(await screen.findByText("Please choose a date and a time.", { selector: ".error" })).toBeTruthy();
  await enterTime("2020-01-01T10:00");
  await user.click(screen.getByRole("button", { name: "Schedule" }));
  await waitFor(() => expect(toasts()).toContain("This time is past, please choose a later one."));
  expect(document.activeElement).toBe(await field("Date and time"));
  expect(sent.map(({ name }) => name)).toEqual(["DraftPage", "DraftPreviewLink"]);
});

test("a time that is past by the server's clock is refused beside its field", async () => {
  const message = '"publishAt" must be in the future';
  const refused = refusal({ message, code: "BAD_USER_INPUT", fields: { publishAt: message } });
  const { user } = open({ DraftPage: page(scheduled), ScheduleDraft: refused });
  await user.click(await screen.findByRole("button", { name: "Change the time" }));
  await user.click(screen.getByRole("button", { name: "Schedule" }));
  await screen.findByText("This time is past, please choose a later one.", { selector: ".error" });
});

test("a draft that could not be published says why, and can get another time", async () => {
  const publishError = '"category" must be an existing category';
  const { user } = open({ DraftPage: page({ ...complete, publishError }), ScheduleDraft });
  await screen.findByText(/^Could not be published at its time: This category no longer exists/);
  await user.click(screen.getByRole("button", { name: "Choose another time" }));
  await enterTime(toLocalTime(time));
  await user.click(screen.getByRole("button", { name: "Schedule" }));
  await screen.findByText("Sat Jan 05 2199, 07:30");
  expect(screen.queryByText(/^Could not/)).toBeNull();
});

test("the list says when drafts will be published or why not, changes and removes their times", async () => {
  const other = ID.replaceAll("1", "3");
  const failed = { ...complete, id: other, title: "Failed", publishError: "no image provided" };
  const responses = {
    DraftsPage: draftsOf([scheduled, failed]),
    DraftPage: page(scheduled),
    ScheduleDraft,
  };
  const { user, sent } = open(responses, "/drafts");
  await screen.findByText("Sat Jan 05 2199, 07:30");
  expect(screen.getByText(/^Could not be published at its time: Please choose a picture/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Unschedule A walk" }));
  await waitFor(() => expect(screen.queryByText("Sat Jan 05 2199, 07:30")).toBeNull());
  expect(sent.at(-1)?.variables).toEqual({ id: ID, version: 3, publishAt: null });
  expect(document.activeElement).toBe(screen.getByRole("list", { name: "Drafts" }));
  await user.click(screen.getByRole("link", { name: "Choose another time for Failed" }));
  expect(address()).toBe(`/drafts/${other}`);
  expect(document.activeElement).toBe(await field("Date and time"));
});

test("a post that was changed meanwhile is compared with the draft, and replaced after confirmation only", async () => {
  const { title, category } = draft;
  const description = "Somebody was there.";
  const post = { id: "post-1", title, category, description, updatedAt: "2026-11-22T13:00:00.000Z" };
  let response = refusal({ message: "changed", code: "CONFLICT" });
  response.errors![0]!.extensions!["current"] = { ...draft, post };
  const { user, sent } = open({
    DraftPage: page({ ...draft, post: { __typename: "Post", id: "post-1" } }),
    PublishDraft: () => response,
    RebaseDraft: ({ id, version }: { id: string; version: number }) =>
      data({ saveDraft: { __typename: "Draft", id, version: version + 1, updatedAt } }),
  });
  await user.click(await screen.findByRole("button", { name: "Update…" }));
  await user.click(screen.getByRole("button", { name: "Update" }));
  await screen.findByText(/^The post was changed after you had begun this draft/);
  const differences = screen.getByRole("dialog").querySelectorAll("del, ins");
  expect([...differences].map(({ outerHTML }) => outerHTML)).toEqual([
    "<del>Somebody</del>",
    "<ins>Nobody</ins>",
  ]);
  response = data({ publishDraft: { __typename: "Post", id: "post-1" } });
  await user.click(screen.getByRole("button", { name: "OK" }));
  await waitFor(() => expect(address()).toBe("/posts/details/post-1"));
  expect(sent.slice(-2)).toMatchObject([
    { name: "RebaseDraft", variables: { version: 3, postUpdatedAt: post.updatedAt } },
    { name: "PublishDraft", variables: { version: 4 } },
  ]);
});

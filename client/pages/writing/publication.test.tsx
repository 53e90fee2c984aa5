// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { readDrafts } from "../../lib/drafts/drafts.ts";
import { draft, field, ID, open, updatedAt } from "../../testing/drafts.tsx";
import { address, data } from "../../testing/render.tsx";

const complete = { ...draft, tags: ["sea"], picture: { __typename: "Picture", id: "p" } };
const DraftPage = data({ draft: complete, categories: [] });
const DraftPreviewLink = data({ draft: { ...complete, previewUrl: null } });
const SavePublication = ({ version, input }: { version: number; input: object }) =>
  data({ saveDraft: { ...complete, ...input, version: version + 1, updatedAt } });
const ScheduleDraft = ({ version, publishAt }: { version: number; publishAt: string }) =>
  data({ scheduleDraft: { ...complete, version: version + 1, updatedAt, publishAt, publishError: null } });

const toggle = () => screen.getByRole("button", { name: "Publish…" });

test("the choices for a publication stay when their form is closed, until they are discarded", async () => {
  const { user } = open({ DraftPage, DraftPreviewLink });
  await field("Text");
  await user.click(toggle());
  await user.type(await field("Tags"), ", wind");
  await user.type(await field("Description of the picture"), "A gull");
  await user.click(screen.getByLabelText("Publish at a time"));
  fireEvent.input(await field("Date and time"), { target: { value: "2199-01-05T07:30" } });
  await user.click(toggle());
  expect(screen.queryByLabelText("Tags")).toBeNull();
  await user.click(toggle());
  expect((await field("Tags")).value).toBe("sea, wind");
  expect((await field("Description of the picture")).value).toBe("A gull");
  expect((await field("Date and time")).value).toBe("2199-01-05T07:30");
  await user.click(screen.getByRole("button", { name: "Discard" }));
  expect((await field("Tags")).value).toBe("sea");
  expect(readDrafts("maya")).toEqual({});
});

test("tags that were saved with a time are shown when the form is opened again, and are not sent twice", async () => {
  const PublishDraft = data({ publishDraft: { __typename: "Post", id: "post-1" } });
  const { user, sent } = open({ DraftPage, DraftPreviewLink, SavePublication, ScheduleDraft, PublishDraft });
  await field("Text");
  await user.click(toggle());
  await user.type(await field("Tags"), ", wind");
  await user.click(screen.getByLabelText("Publish at a time"));
  fireEvent.input(await field("Date and time"), { target: { value: "2199-01-05T07:30" } });
  await user.click(screen.getByRole("button", { name: "Schedule" }));
  await screen.findByText("Sat Jan 05 2199, 07:30");
  expect(readDrafts("maya")).toEqual({});
  await user.click(toggle());
  expect((await field("Tags")).value).toBe("sea, wind");
  await user.click(screen.getByLabelText("Publish at a time"));
  await user.click(screen.getByRole("button", { name: "Publish" }));
  await waitFor(() => expect(address()).toBe("/posts/details/post-1"));
  expect(sent.filter(({ name }) => name === "SavePublication").map(({ variables }) => variables)).toEqual([
    { id: ID, version: 3, input: { tags: ["sea", "wind"] } },
  ]);
});

test("a publication whose response was lost is sent again without its choices, which the draft has", async () => {
  let isLost = true;
  const PublishDraft = () => {
    if (isLost) throw new Error("the connection was lost");
    return data({ publishDraft: { __typename: "Post", id: "post-1" } });
  };
  const { user, sent } = open({ DraftPage, DraftPreviewLink, SavePublication, PublishDraft });
  await field("Text");
  await user.click(toggle());
  await user.type(await field("Tags"), ", wind");
  await user.click(screen.getByRole("button", { name: "Publish" }));
  await waitFor(() => expect(sent.at(-1)?.name).toBe("PublishDraft"));
  expect((await field("Tags")).value).toBe("sea, wind");
  isLost = false;
  await waitFor(() => expect(screen.getByRole("button", { name: "Publish" }).ariaBusy).not.toBe("true"));
  await user.click(screen.getByRole("button", { name: "Publish" }));
  await waitFor(() => expect(address()).toBe("/posts/details/post-1"));
  const later = sent.slice(sent.findIndex(({ name }) => name === "SavePublication"));
  expect(later.map(({ name, variables }) => [name, variables.version])).toEqual([
    ["SavePublication", 3],
    ["PublishDraft", 4],
    ["PublishDraft", 4],
  ]);
});

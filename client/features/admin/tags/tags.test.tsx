// @vitest-environment jsdom
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { data, refusal, renderWith } from "../../../testing/render.tsx";
import { MergeTagDialog } from "./merge-tag-dialog.tsx";
import { RenameTagDialog } from "./rename-tag-dialog.tsx";

const tag = { __typename: "Tag" as const, id: "t", name: "Slate", postCount: 2 };
let isOpen = true;
const props = { tag, onClose: () => void (isOpen = false) };

test("a taken name is refused at the field, and another one closes the dialog", async () => {
  isOpen = true;
  const { user, sent } = renderWith(<RenameTagDialog {...props} />, {
    AdminRenameTag: ({ name }) =>
      name === "Roofs"
        ? refusal({ message: "tag already exist", code: "CONFLICT" })
        : data({ renameTag: { ...tag, name } }),
  });
  const field = screen.getByLabelText("Name");
  for (const [name, isOpenAfter] of [
    ["Roofs", true],
    ["Slates", false],
  ] as const) {
    await user.clear(field);
    await user.type(field, `${name}{Enter}`);
    await waitFor(() => expect(sent.at(-1)?.variables).toEqual({ id: "t", name }));
    if (isOpenAfter) await screen.findByText(/^There is already a tag of this name/);
    await waitFor(() => expect(isOpen).toBe(isOpenAfter));
  }
});

test("merges into the tag of a name, but not into none or itself", async () => {
  isOpen = true;
  const ids: Record<string, string> = { slate: "t", roofs: "r" };
  const { user, sent } = renderWith(<MergeTagDialog {...props} />, {
    AdminFindTag: ({ name }) => data({ tag: ids[name] ? { __typename: "Tag", id: ids[name] } : null }),
    AdminMergeTags: data({ mergeTags: { ...tag, id: "r", name: "Roofs" } }),
  });
  const field = screen.getByLabelText("Tag that stays");
  for (const [name, words] of [
    ["nothing", "No post has a tag of this name."],
    ["slate", "This is the same tag."],
  ] as const) {
    await user.clear(field);
    await user.type(field, `${name}{Enter}`);
    await screen.findByText(words);
  }
  await user.clear(field);
  await user.type(field, "roofs{Enter}");
  await waitFor(() => expect(isOpen).toBe(false));
  expect(sent.at(-1)).toEqual({ name: "AdminMergeTags", variables: { from: "t", into: "r" } });
});

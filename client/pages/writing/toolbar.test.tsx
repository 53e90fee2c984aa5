// @vitest-environment jsdom
import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { field, open } from "../../testing/drafts.tsx";

const formats = [
  ["Bold", "**moss**", "b"],
  ["Italic", "*moss*", "i"],
  ["Heading", "## moss", ""],
  ["Link", "[moss](https://)", "k"],
  ["List", "- moss", ""],
  ["Quote", "> moss", ""],
  ["Code", "`moss`", "e"],
  ["Table", "moss\n\n| Column | Column |\n| --- | --- |\n|  |  |\n", ""],
] as const;
const keys = formats.flatMap(([name, result, key]) =>
  key ? ["Control", "Meta"].map((modifier) => ({ name, result, key, modifier })) : [],
);

let user: ReturnType<typeof open>["user"];
let text: HTMLTextAreaElement;
beforeEach(async () => {
  ({ user } = open({}));
  text = await field("Text");
  await user.clear(text);
  await user.type(text, "moss");
  text.setSelectionRange(0, 4);
});

test("the toolbar has a button for each format and for pictures", async () => {
  const buttons = within(screen.getByRole("toolbar", { name: "Formatting" })).getAllByRole("button");
  const names = buttons.map((button) => button.getAttribute("aria-label"));
  expect(names).toEqual([...formats.map(([name]) => name), "Image"]);
  await user.click(screen.getByRole("button", { name: "Image" }));
  expect(screen.getByRole("dialog", { name: "Insert a picture" })).toBeTruthy();
});

describe("the selection is formatted", () => {
  test.each(formats)("by the button %s", async (name, result) => {
    await user.click(screen.getByRole("button", { name }));
    expect(text.value).toBe(result);
    expect(document.activeElement).toBe(text);
  });

  test.each(keys)("as $name by $modifier+$key", async ({ name, result, key, modifier }) => {
    await user.keyboard(`{${modifier}>}${key}{/${modifier}}`);
    expect(text.value).toBe(result);
    const shortcuts = screen.getByRole("button", { name }).getAttribute("aria-keyshortcuts");
    expect(shortcuts).toContain(`${modifier}+${key.toUpperCase()}`);
  });
});

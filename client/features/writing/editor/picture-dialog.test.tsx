// @vitest-environment jsdom
import { screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { data, refusal, renderWith, toasts } from "../../../testing/render.tsx";
import { MarkdownTextArea } from "./markdown-text-area.tsx";

function Editor() {
  const [text, setText] = useState("Nobody was there.");
  return <MarkdownTextArea owner="a" value={text} onChange={setText} />;
}

test("a picture is described, uploaded and inserted at the cursor; a refused one keeps its words", async () => {
  let response = refusal({ message: "there is no room", code: "INSUFFICIENT_STORAGE" });
  const { user, sent } = renderWith(<Editor />, { UploadPicture: () => response });
  const text = screen.getByLabelText<HTMLTextAreaElement>("Text");
  text.setSelectionRange(6, 6);
  await user.click(screen.getByRole("button", { name: "Image" }));
  const dialog = within(screen.getByRole("dialog", { name: "Insert a picture" }));
  const insert = () => user.click(dialog.getByRole("button", { name: "Insert" }));
  await insert();
  expect(sent.map(({ name }) => name)).not.toContain("UploadPicture");
  const image = new File(["x"], "wall.png", { type: "image/png" });
  await user.upload(dialog.getByLabelText("Picture"), image);
  // Forms of jsdom do not contain files that a script has set.
  const get = FormData.prototype.get;
  vi.spyOn(FormData.prototype, "get").mockImplementation(function (this: FormData, name) {
    return name === "image" ? image : get.call(this, name);
  });
  await user.type(dialog.getByLabelText(/^Description/), "Wall");
  await user.type(dialog.getByLabelText("Caption"), "Slate");
  await insert();
  await waitFor(() => expect(toasts()).toContain("there is no room"));
  expect(dialog.getByLabelText<HTMLInputElement>(/^Description/).value).toBe("Wall");
  const picture = { __typename: "Picture", id: "p", markdown: "![A wall](/media/p)" };
  response = data({ uploadPicture: picture });
  await insert();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent.at(-1)).toEqual({ name: "UploadPicture", variables: { image, alt: "Wall" } });
  expect(text.value).toBe('Nobody\n\n![A wall](/media/p "Slate")\n\n was there.');
  await user.keyboard("!");
  expect(text.value).toContain("! was there.");
  vi.restoreAllMocks();
});

test("a closed dialog keeps its input for the next time, until it is discarded", async () => {
  const { user } = renderWith(<Editor />, {});
  const dialog = () => within(screen.getByRole("dialog", { name: "Insert a picture" }));
  const caption = () => dialog().getByLabelText<HTMLInputElement>("Caption");
  const open = () => user.click(screen.getByRole("button", { name: "Image" }));
  await open();
  await user.type(caption(), "Slate");
  await user.click(dialog().getByText("Close"));
  await open();
  expect(caption().value).toBe("Slate");
  await user.click(dialog().getByRole("button", { name: "Discard" }));
  expect(caption().value).toBe("");
  await user.click(dialog().getByText("Close"));
  await open();
  expect(caption().value).toBe("");
});

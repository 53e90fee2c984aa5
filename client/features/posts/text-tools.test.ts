// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { addTextTools } from "./text-tools.ts";

HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
  this.open = false;
  this.dispatchEvent(new Event("close"));
};

afterEach(() => document.body.replaceChildren());

function equip(html: string): HTMLElement {
  const prose = document.createElement("div");
  prose.innerHTML = html;
  document.body.append(prose);
  addTextTools(prose);
  return prose;
}

test("headings get a link to themselves, once", () => {
  const prose = equip('<h2 id="post-bread">Bread</h2>');
  addTextTools(prose);
  const [link, ...others] = screen.getAllByRole<HTMLAnchorElement>("link");
  expect([link?.hash, link?.ariaLabel, others]).toEqual(["#post-bread", "Link to “Bread”", []]);
});

test("a button copies code as it is written", async () => {
  const user = userEvent.setup();
  equip("<pre><code>a &lt; b\n  c</code></pre>");
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await navigator.clipboard.readText()).toBe("a < b\n  c");
  expect(screen.getByRole("button", { name: "Copied" })).toBeTruthy();
});

test("a picture opens large and closes again; one that is a link stays a link", async () => {
  const user = userEvent.setup();
  equip('<p><img src="/a.jpg" alt="A wall"></p><p><a href="/x"><img src="/b.jpg" alt="B"></a></p>');
  await user.click(screen.getByRole("button", { name: "Enlarge: A wall" }));
  const dialog = screen.getByRole("dialog", { name: "A wall" });
  expect(dialog.querySelector("img")?.getAttribute("src")).toMatch(/\/a\.jpg$/);
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.getAllByRole("button")).toHaveLength(1);
});

// @vitest-environment jsdom
import { fireEvent, screen } from "@testing-library/react";
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

test("buttons, arrow keys and swipes lead to the other pictures of the text", async () => {
  const user = userEvent.setup();
  equip(
    '<img src="/a.jpg" alt="A"><img src="/b.jpg" alt="B"><a href="/x"><img src="/x.jpg" alt="X"></a><img src="/c.jpg" alt="C">',
  );
  await user.click(screen.getByRole("button", { name: "Enlarge: A" }));
  const dialog = screen.getByRole("dialog");
  const swipe = (to: number) => {
    fireEvent.touchStart(dialog, { touches: [{ clientX: 200 }] });
    fireEvent.touchEnd(dialog, { changedTouches: [{ clientX: to }] });
  };
  const shown: (string | null)[] = [];
  for (const step of [
    () => user.click(screen.getByRole("button", { name: "Next picture" })),
    () => user.keyboard("{ArrowRight}"),
    () => user.keyboard("{ArrowRight}"),
    () => user.keyboard("{ArrowLeft}"),
    () => user.click(screen.getByRole("button", { name: "Previous picture" })),
    () => swipe(100),
    () => swipe(300),
    () => swipe(190),
  ]) {
    await step();
    shown.push(dialog.ariaLabel);
  }
  expect(shown).toEqual(["B", "C", "A", "C", "B", "C", "B", "B"]);
  expect(dialog.querySelector("img")?.getAttribute("src")).toMatch(/\/b\.jpg$/);
});

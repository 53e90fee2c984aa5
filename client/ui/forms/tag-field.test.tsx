// @vitest-environment jsdom
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { data, renderWith } from "../../testing/render.tsx";
import { TagField } from "./tag-field.tsx";

const tag = (id: string, name: string, postCount: number) => ({ __typename: "Tag", id, name, postCount });
const found = [tag("1", "Slate", 4), tag("2", "slow trains", 2)];
const SuggestTags = ({ search }: { search: string }) =>
  data({
    tags: {
      __typename: "TagConnection",
      nodes: found.filter(({ name }) => name.toLowerCase().startsWith(search.toLowerCase())),
    },
  });

function start(defaultValue = "") {
  let inputs = 0;
  const form = (
    <form onInput={() => inputs++} onSubmit={() => expect.unreachable()}>
      <TagField defaultValue={defaultValue} />
    </form>
  );
  const { user, sent } = renderWith(form, { SuggestTags });
  const field = screen.getByLabelText<HTMLInputElement>("Tags");
  return { user, sent, field, inputs: () => inputs };
}
const options = () => screen.queryAllByRole("option").map((option) => option.firstChild?.textContent);

test("the last name is completed by keys, and the form is notified", async () => {
  const { user, field, inputs } = start("moss, ");
  await user.type(field, "sl");
  await waitFor(() => expect(options()).toEqual(["Slate", "slow trains"]), { timeout: 5_000 });
  expect(screen.getByText("2 suggestions").role).toBe("status");
  // An effect sets them, after the options are shown.
  await waitFor(() => expect([field.role, field.ariaExpanded]).toEqual(["combobox", "true"]));
  await user.keyboard("{ArrowDown}{ArrowDown}");
  const active = document.getElementById(field.getAttribute("aria-activedescendant") ?? "");
  expect([active?.firstChild?.textContent, active?.ariaSelected]).toEqual(["slow trains", "true"]);
  const before = inputs();
  await user.keyboard("{Enter}");
  expect(field.value).toBe("moss, slow trains, ");
  expect(inputs()).toBe(before + 1);
  expect(options()).toEqual([]);
});

test("a click completes too, and names that are there are not suggested again", async () => {
  const { user, field } = start("slate, ");
  await user.type(field, "s");
  await waitFor(() => expect(options()).toEqual(["slow trains"]));
  await user.click(screen.getByRole("option"));
  expect(field.value).toBe("slate, slow trains, ");
  expect(document.activeElement).toBe(field);
});

test("Escape also ends a search whose suggestions are not shown yet", async () => {
  const { user, field } = start();
  await user.type(field, "s");
  await waitFor(() => expect(options()).toHaveLength(2));
  await user.type(field, "l{Escape}");
  await new Promise((done) => setTimeout(done, 400));
  expect(options()).toEqual([]);
});

test("Escape closes the suggestions alone, and leaving the field closes them too", async () => {
  const { user, field } = start();
  let escapes = 0;
  document.addEventListener("keydown", ({ key }) => key === "Escape" && escapes++);
  await user.type(field, "sl");
  await waitFor(() => expect(options()).toHaveLength(2));
  await user.keyboard("{Escape}");
  expect([options(), escapes]).toEqual([[], 0]);
  await user.keyboard("{Escape}");
  expect(escapes).toBe(1);
  await user.type(field, "a");
  await user.type(field, "{Backspace}");
  await waitFor(() => expect(options()).toHaveLength(2));
  await user.tab();
  await waitFor(() => expect(options()).toEqual([]));
});

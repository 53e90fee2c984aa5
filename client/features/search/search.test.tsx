// @vitest-environment jsdom
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { Header } from "../../app/header.tsx";
import { SearchPage } from "../../pages/search.tsx";
import { address, data, refusal, renderWith } from "../../testing/render.tsx";

const HOSTILE = `<img src=x onerror="alert(1)">`;

const picture = {
  ...{ __typename: "Image", url: "/p.webp", width: 3, height: 2, srcset: "", avifSrcset: null },
  ...{ placeholder: "", alt: "" },
};
const part = (text: string, isMatch = false) => ({ __typename: "TextPart", text, isMatch });

const edges = [
  {
    ...{ __typename: "SearchEdge", cursor: "a" },
    ...{
      title: [part(HOSTILE, true), part(" of slate")],
      excerpt: [part("A roof of "), part("slate", true)],
    },
    node: {
      ...{
        __typename: "Post",
        id: "p",
        title: HOSTILE,
        category: "Craft",
        readingMinutes: 2,
        image: picture,
      },
      ...{ createdAt: "2026-11-21T00:00:00Z", user: { __typename: "Profile", id: "u", username: "Maya" } },
    },
  },
  {
    ...{ __typename: "SearchEdge", cursor: "b", title: [part("Maya")], excerpt: [part(HOSTILE)] },
    node: { __typename: "Profile", id: "u", username: "Maya", profilePhoto: picture },
  },
];
const tag = {
  ...{ __typename: "SearchEdge", cursor: "c", title: [part("Dry stone")], excerpt: [] },
  node: { __typename: "Tag", id: "t", name: "Dry stone", postCount: 2 },
};

const found = (more: object = {}) =>
  data({
    search: {
      ...{
        __typename: "SearchConnection",
        totalCount: 2,
        isTotalExact: true,
        isNearest: false,
        pages: 1,
        edges,
      },
      ...more,
    },
  });

const page = (response: ReturnType<typeof data>, query = "slate") =>
  renderWith(<SearchPage />, { SearchPage: response }, `/search?q=${query}`);

describe("the page of results", () => {
  test("marks matches, and shows markup in titles and texts as text", async () => {
    page(found());
    const link = await screen.findByRole("link", { name: `${HOSTILE} of slate` });
    expect(link.getAttribute("href")).toBe("/posts/details/p");
    expect([...document.querySelectorAll("mark")].map((each) => each.textContent)).toEqual([
      HOSTILE,
      "slate",
    ]);
    expect(document.querySelector("[onerror]")).toBeNull();
    expect(screen.getByRole("heading", { level: 2 }).textContent).toBe("2 results for “slate”");
  });

  test.each([
    [{ totalCount: 1_000, isTotalExact: false }, "More than 1,000 results for “slate”"],
    [{ isNearest: true }, "Nothing has all of “slate”. The nearest:"],
    [{ totalCount: 0, edges: [], pages: 0 }, "Nothing found for “slate”"],
  ])("says what it found: %j", async (more, summary) => {
    page(found(more));
    await waitFor(() => expect(screen.getByRole("heading", { level: 2 }).textContent).toBe(summary));
  });

  test("leads to the posts with a tag", async () => {
    page(found({ edges: [tag] }));
    const link = await screen.findByRole("link", { name: "Dry stone" });
    expect(link.getAttribute("href")).toBe("/posts/tags/Dry%20stone");
    expect(screen.getByRole("article").textContent).toBe("TagDry stone2 posts");
  });

  test("leads on from an empty result", async () => {
    page(found({ totalCount: 0, edges: [], pages: 0 }));
    expect((await screen.findByRole("link", { name: "See all posts" })).getAttribute("href")).toBe("/posts");
  });

  test("explains what it takes, without words or with a refusal", async () => {
    renderWith(<SearchPage />, {}, "/search");
    expect(screen.getByText(/finds a phrase/)).toBeTruthy();
    const fields = { query: '"query" must contain a letter or a digit' };
    page(refusal({ message: fields.query, code: "BAD_USER_INPUT", fields }), "-");
    await waitFor(() => expect(screen.getAllByText(/finds a phrase/)).toHaveLength(2));
  });

  test("is a form that works without scripts", () => {
    page(found());
    const form = screen.getByRole("search");
    expect([form.getAttribute("action"), form.getAttribute("method")]).toEqual(["/search", null]);
    expect(within(form).getByRole("searchbox").getAttribute("name")).toBe("q");
    expect(within(form).getByRole("button", { name: "Search" }).hasAttribute("disabled")).toBe(false);
  });
});

describe("the search of the header", () => {
  const open = () => renderWith(<Header />, { SearchSuggestions: found() });

  test("opens by '/', shows results after a pause and goes to the one that is chosen by keys", async () => {
    const { user, sent } = open();
    await user.keyboard("/");
    const field = await screen.findByRole("combobox");
    expect(document.activeElement).toBe(field);
    await user.type(field, "slate");
    const options = await screen.findAllByRole("option");
    expect(options.map((each) => each.textContent)).toEqual([`${HOSTILE} of slate Craft`, "Maya Author"]);
    expect(sent.map(({ variables }) => variables)).toEqual([{ query: "slate" }]);
    expect(document.querySelector("[onerror]")).toBeNull();
    expect(field.getAttribute("aria-expanded")).toBe("true");
    await user.keyboard("{ArrowDown}{ArrowDown}");
    expect(field.getAttribute("aria-activedescendant")).toBe(options[1]?.id);
    expect(options.map((each) => each.getAttribute("aria-selected"))).toEqual(["false", "true"]);
    await user.keyboard("{Enter}");
    expect(address()).toBe("/profile/u");
    expect(screen.queryByRole("combobox")).toBeNull();
  });

  test("keeps the chosen result when the list changes before Enter", async () => {
    const lists = [edges, [...edges].reverse()];
    const { user } = renderWith(<Header />, {
      SearchSuggestions: () => found({ edges: lists.shift() ?? edges }),
    });
    await user.keyboard("/");
    const field = await screen.findByRole("combobox");
    await user.type(field, "slate");
    const [first] = await screen.findAllByRole("option");
    await user.type(field, "s");
    await user.keyboard("{ArrowDown}");
    expect(field.getAttribute("aria-activedescendant")).toBe(first?.id);
    await waitFor(() => expect(screen.getAllByRole("option")[1]).toBe(first));
    expect(field.getAttribute("aria-activedescendant")).toBe(first?.id);
    await user.keyboard("{Enter}");
    expect(address()).toBe("/posts/details/p");
  });

  test("goes to all results by Enter, and gives the focus back on Escape", async () => {
    const { user } = open();
    const link = screen.getByRole("link", { name: "Search" });
    await user.click(link);
    expect(address()).toBe("/");
    await screen.findByRole("combobox");
    await user.keyboard("{Escape}");
    expect(document.activeElement).toBe(link);
    await user.keyboard("/");
    await user.type(await screen.findByRole("combobox"), "slate{Enter}");
    expect(address()).toBe("/search");
  });

  test("opens no search for a '/' typed into a field", async () => {
    const { user } = renderWith(
      <>
        <Header />
        <input aria-label="Other" />
      </>,
      { SearchSuggestions: found() },
    );
    await user.type(screen.getByLabelText("Other"), "and/or");
    expect(screen.queryByRole("combobox")).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>("Other").value).toBe("and/or");
  });
});

// @vitest-environment jsdom
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { startSession } from "../../features/accounts/session.ts";
import { data, renderWith } from "../../testing/render.tsx";
import { BookmarksPage } from "./bookmarks.tsx";

const photo = { __typename: "ProfilePhoto", url: "/photo.png" };
const user = { __typename: "Profile", id: "u", username: "Noor", profilePhoto: photo };
const image = {
  ...{ __typename: "Image", url: "/p.jpg", width: 3, height: 2 },
  ...{ srcset: "/p.webp 480w", avifSrcset: null, placeholder: "data:,", alt: "" },
};
const post = (id: string, title: string) => ({
  ...{ __typename: "Post", id, title, excerpt: "", category: "Places", createdAt: "2026-01-01T00:00:00Z" },
  ...{ readingMinutes: 1, likeCount: 0, commentCount: 0, tags: [], image, user, viewerHasBookmarked: true },
});

const nodes = [post("1", "Bread"), post("2", "Salt")];
const pageInfo = { __typename: "PageInfo", endCursor: null, hasNextPage: false };
const bookmarks = { __typename: "PostConnection", nodes, pageInfo };
const saved = (id: string, viewerHasBookmarked: boolean) => ({ __typename: "Post", id, viewerHasBookmarked });

const buttons = () =>
  screen
    .getAllByRole("button", { name: /^Save / })
    .map((each) => [each.getAttribute("aria-label"), each.getAttribute("aria-pressed")]);

test("each card removes its bookmark, keeps the focus, and saves the post again", async () => {
  const viewer = { id: "v", username: "Maya", email: "", isAdmin: false, profilePhoto: photo };
  startSession({ token: "t", viewer } as never);
  const { user, sent } = renderWith(<BookmarksPage />, {
    BookmarksPage: data({ viewer: { __typename: "Viewer", id: "v", bookmarks } }),
    RemoveBookmark: ({ id }) => data({ removeBookmark: saved(id as string, false) }),
    BookmarkPost: ({ id }) => data({ bookmarkPost: saved(id as string, true) }),
  });
  const button = await screen.findByRole("button", { name: "Save Salt" });
  button.focus();
  await user.keyboard("{Enter}");
  await waitFor(() =>
    expect(buttons()).toEqual([
      ["Save Bread", "true"],
      ["Save Salt", "false"],
    ]),
  );
  expect(screen.getByRole("heading", { name: "Salt" })).toBeTruthy();
  expect(document.activeElement).toBe(button);
  await user.keyboard("{Enter}");
  await waitFor(() => expect(button.getAttribute("aria-pressed")).toBe("true"));
  expect(sent.slice(-2)).toEqual([
    { name: "RemoveBookmark", variables: { id: "2" } },
    { name: "BookmarkPost", variables: { id: "2" } },
  ]);
});

// @vitest-environment jsdom
import { useFragment } from "@apollo/client/react";
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { ViewerBookmarkFragmentDoc } from "../../generated/graphql.ts";
import { address, data, refusal, renderWith, toasts } from "../../testing/render.tsx";
import { BookmarkButton } from "./bookmark-button.tsx";
import { BookmarkLink } from "./bookmark-link.tsx";

const from = { __typename: "Post", id: "p" } as const;

/** Shows what the cache has, as the page does. */
function Button() {
  const { data: post } = useFragment({ fragment: ViewerBookmarkFragmentDoc, from });
  return <BookmarkButton post={{ id: "p", viewerHasBookmarked: post.viewerHasBookmarked ?? false }} />;
}

const button = () => screen.getByRole("button", { name: "Save this post" });
const isPressed = () => button().getAttribute("aria-pressed");

test("saves a post and removes it, by the keyboard", async () => {
  const { user, sent } = renderWith(<Button />, {
    BookmarkPost: data({ bookmarkPost: { ...from, viewerHasBookmarked: true } }),
    RemoveBookmark: data({ removeBookmark: { ...from, viewerHasBookmarked: false } }),
  });
  await user.tab();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(isPressed()).toBe("true"));
  await user.keyboard("{Enter}");
  await waitFor(() => expect(isPressed()).toBe("false"));
  expect(sent.map(({ name }) => name)).toEqual(["BookmarkPost", "RemoveBookmark"]);
});

test("takes a refused change back, and says why", async () => {
  const message = "an account has at most 1000 bookmarks, please remove some";
  const BookmarkPost = refusal({ message, code: "BAD_USER_INPUT" });
  const { user } = renderWith(<Button />, { BookmarkPost });
  await user.click(button());
  await waitFor(() => expect(toasts()).toEqual([message]));
  expect(isPressed()).toBe("false");
});

test("leads visitors to the login", async () => {
  const { user } = renderWith(<BookmarkLink postId="p" />);
  await user.click(screen.getByRole("link", { name: "Login to save this post" }));
  expect(address()).toBe("/login");
});

// @vitest-environment jsdom
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { address, data, refusal, renderWith, toasts } from "../../testing/render.tsx";
import { Follow } from "./follow.tsx";

const node = (viewerIsFollowing: boolean) => ({ __typename: "Category", id: "c", viewerIsFollowing });
const button = () => screen.findByRole<HTMLButtonElement>("button", { name: "Follow Food" });
const isPressed = async () => (await button()).getAttribute("aria-pressed");

const responses = {
  ViewerFollow: data({ node: node(false) }),
  Follow: data({ follow: node(true) }),
  Unfollow: data({ unfollow: node(false) }),
};

test("follows and unfollows, by the keyboard", async () => {
  const { user, sent } = renderWith(<Follow id="c" name="Food" isSignedIn />, responses);
  await waitFor(async () => expect((await button()).disabled).toBe(false));
  await user.tab();
  await user.keyboard("{Enter}");
  await waitFor(async () => expect(await isPressed()).toBe("true"));
  await user.keyboard("{Enter}");
  await waitFor(async () => expect(await isPressed()).toBe("false"));
  expect(sent.map(({ name }) => name)).toEqual(["ViewerFollow", "Follow", "Unfollow"]);
});

test("takes a refused change back, and says why", async () => {
  const message = "an account follows at most 500, please unfollow some";
  const Refused = refusal({ message, code: "BAD_USER_INPUT" });
  const { user } = renderWith(<Follow id="c" name="Food" isSignedIn />, { ...responses, Follow: Refused });
  await waitFor(async () => expect((await button()).disabled).toBe(false));
  await user.click(await button());
  await waitFor(() => expect(toasts()).toEqual([message]));
  expect(await isPressed()).toBe("false");
});

test("leads visitors to the login, and sends no request", async () => {
  const { user, sent } = renderWith(<Follow id="c" name="Food" isSignedIn={false} />);
  await user.click(screen.getByRole("link", { name: "Login to follow Food" }));
  expect(address()).toBe("/login");
  expect(sent).toEqual([]);
});

// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { endSession, startSession } from "../features/accounts/session.ts";
import { address, data, renderWith } from "../testing/render.tsx";
import { HomePage } from "./home.tsx";
import { PostsPage } from "./posts.tsx";

const posts = { __typename: "PostPage", nodes: [], pages: 1 };
const empty = data({ posts, categories: [] });
const photo = { __typename: "ProfilePhoto", url: "/photo.png" };
const viewer = { id: "v", username: "Maya", email: "", isAdmin: false, profilePhoto: photo };

const invitation = () => screen.findByRole("link", { name: "Write the first post" });

beforeEach(endSession);

const lists = [
  ["Home", HomePage],
  ["Posts", PostsPage],
] as const;

test.each(lists)("%s of an empty blog leads visitors to Login first", async (_name, Page) => {
  const { user } = renderWith(<Page />, { HomePage: empty, PostsPage: empty });
  await user.click(await invitation());
  expect(address()).toBe("/login");
});

test.each(lists)("%s of an empty blog leads accounts to the form", async (_name, Page) => {
  startSession({ token: "t", viewer } as never);
  const { user } = renderWith(<Page />, { HomePage: empty, PostsPage: empty });
  await user.click(await invitation());
  expect(address()).toBe("/posts/create-post");
});

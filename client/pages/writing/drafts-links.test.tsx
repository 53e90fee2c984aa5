// @vitest-environment jsdom
import { screen, waitFor } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { Header } from "../../app/header.tsx";
import { draft, draftsOf, updatedAt as createdAt } from "../../testing/drafts.tsx";
import { address, data, renderWith } from "../../testing/render.tsx";
import { ProfilePage } from "../profile.tsx";

const [MAYA, NOOR] = ["11111111-0000-4000-8000-000000000001", "11111111-0000-4000-8000-000000000002"];

beforeEach(() => {
  const session = { _id: MAYA, username: "Maya", token: "t", profilePhoto: { url: "/p.webp" } };
  localStorage.setItem("userInfo", JSON.stringify(session));
});

const profilePhoto = {
  ...{ __typename: "Image", url: "/p.webp", width: 3, height: 3, srcset: "", avifSrcset: null },
  ...{ placeholder: "", alt: "" },
};
const pageInfo = { __typename: "PageInfo", endCursor: null, hasNextPage: false };
const posts = { __typename: "PostConnection", nodes: [], totalCount: 0, pageInfo };
const openProfile = (id: string) =>
  renderWith(
    <Routes>
      <Route path="/profile/:id" element={<ProfilePage />} />
      <Route path="*" element={null} />
    </Routes>,
    {
      ProfilePage: data({
        profile: { __typename: "Profile", id, username: "Maya", bio: null, createdAt, profilePhoto, posts },
      }),
      Sessions: data({ viewer: { __typename: "Viewer", id: MAYA, sessions: [] } }),
      ViewerFollow: data({ node: { __typename: "Profile", id, viewerIsFollowing: false } }),
    },
    `/profile/${id}`,
  );

test("one's own profile leads to 'Your drafts'", async () => {
  const { user } = openProfile(MAYA!);
  await user.click(await screen.findByRole("link", { name: "Your drafts" }));
  expect(address()).toBe("/drafts");
});

test("another's profile has no link to drafts", async () => {
  openProfile(NOOR!);
  await screen.findByText("Nothing written yet.");
  expect(screen.queryByRole("link", { name: "Your drafts" })).toBeNull();
});

test("the account menu leads to 'Your drafts' and shows their number", async () => {
  const { user } = renderWith(<Header />, { DraftCount: draftsOf([draft, { ...draft, id: NOOR }]) });
  await user.click(screen.getByRole("button", { name: "Maya" }));
  await user.click(await screen.findByRole("link", { name: "Your drafts 2" }));
  expect(address()).toBe("/drafts");
});

test("the account menu shows no number without drafts", async () => {
  const { user, sent } = renderWith(<Header />, { DraftCount: draftsOf([]) });
  await user.click(screen.getByRole("button", { name: "Maya" }));
  await waitFor(() => expect(sent.map(({ name }) => name)).toEqual(["DraftCount"]));
  expect(screen.getByRole("link", { name: "Your drafts" })).toBeTruthy();
});

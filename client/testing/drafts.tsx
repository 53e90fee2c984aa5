import { screen } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach } from "vitest";
import { DraftPage } from "../pages/writing/draft.tsx";
import { DraftsPage } from "../pages/writing/drafts.tsx";
import { EditPostPage } from "../pages/writing/edit-post.tsx";
import { PreviewPage } from "../pages/writing/preview.tsx";
import { data, renderWith } from "./render.tsx";

export const ID = "11111111-1111-4111-8111-111111111111";
export const updatedAt = "2026-11-22T12:04:00.000Z";
export const draft = {
  __typename: "Draft",
  id: ID,
  version: 3,
  title: "A walk",
  category: "Places",
  tags: [] as string[],
  description: "Nobody was there.",
  updatedAt,
  publishAt: null as string | null,
  publishError: null as string | null,
  picture: null as object | null,
  post: null as object | null,
};
export const categories = [{ __typename: "Category", id: "c", title: "Places" }];
const found = ({ id }: { id: string }) => data({ draft: id === ID ? draft : null, categories });
const saved = ({ id, version }: { id: string; version: number }) =>
  data({ saveDraft: { __typename: "Draft", id, version: version + 1, updatedAt } });

export const draftsOf = (nodes: object[]) =>
  data({
    viewer: {
      __typename: "Viewer",
      id: "maya",
      drafts: {
        __typename: "DraftConnection",
        nodes,
        totalCount: nodes.length,
        pageInfo: { __typename: "PageInfo", endCursor: null, hasNextPage: false },
      },
    },
  });

beforeEach(() =>
  localStorage.setItem("userInfo", JSON.stringify({ _id: "maya", username: "Maya", token: "t" })),
);

const pages = (
  <Routes>
    <Route path="/drafts" element={<DraftsPage />} />
    <Route path="/drafts/:id" element={<DraftPage />} />
    <Route path="/preview/:token" element={<PreviewPage />} />
    <Route path="/posts/edit/:id" element={<EditPostPage />} />
    <Route path="/posts/details/:id" element={<p>The post</p>} />
    <Route path="/" element={<p>Home</p>} />
  </Routes>
);

export const open = (responses: Parameters<typeof renderWith>[1], path = `/drafts/${ID}`) =>
  renderWith(pages, { DraftPage: found, SaveDraft: saved, ...responses }, path);

export const field = (label: string) => screen.findByLabelText<HTMLTextAreaElement>(label);
export const status = () => screen.getAllByRole("status").map((each) => each.textContent);

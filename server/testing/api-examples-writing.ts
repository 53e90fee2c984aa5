import { post, type Example } from "./api-examples.ts";
import * as calls from "./parity-calls.ts";
import { ids, previewToken } from "./parity.ts";

const draft = "id version title description category alt updatedAt";

export const writingExamples: Example[] = [
  {
    title: "Create a private draft",
    as: "maya",
    graphql: {
      query: `mutation ($input: DraftInput!) {\n  saveDraft(input: $input) { ${draft} }\n}`,
      variables: { input: { title: "On ferns" } },
    },
    rest: null,
  },
  {
    title: "Save the next version of a draft",
    as: "maya",
    graphql: {
      query: `mutation ($id: ID!, $version: Int!, $input: DraftInput!) {\n  saveDraft(id: $id, version: $version, input: $input) { id version updatedAt }\n}`,
      variables: { id: ids.draft, version: 1, input: { description: "It grows where nobody treads." } },
    },
    rest: null,
  },
  {
    title: "Read a draft of one's own",
    as: "maya",
    graphql: {
      query: `query ($id: ID!) {\n  draft(id: $id) { ${draft} }\n}`,
      variables: { id: ids.draft },
    },
    rest: null,
  },
  {
    title: "List one's drafts",
    as: "maya",
    graphql: { query: "{\n  viewer { drafts(first: 10) { totalCount nodes { id title updatedAt } } }\n}" },
    rest: null,
  },
  {
    title: "Publish a draft",
    as: "maya",
    graphql: {
      query: `mutation ($id: ID!, $version: Int!) {\n  publishDraft(id: $id, version: $version) { ${post} }\n}`,
      variables: { id: ids.draft, version: 1 },
    },
    rest: null,
  },
  {
    title: "Schedule a draft (null unschedules it)",
    as: "maya",
    graphql: {
      query: `mutation ($id: ID!, $version: Int!, $publishAt: DateTime) {\n  scheduleDraft(id: $id, version: $version, publishAt: $publishAt) { id version publishAt publishError }\n}`,
      variables: { id: ids.draft, version: 1, publishAt: "2999-01-01T09:30:00.000Z" },
    },
    rest: null,
  },
  {
    title: "Share a draft by a link",
    as: "maya",
    graphql: {
      query: "mutation ($id: ID!) {\n  createPreviewLink(draftId: $id) { id previewUrl }\n}",
      variables: { id: ids.draft },
    },
    rest: null,
  },
  {
    title: "Read a draft by the token of its link",
    graphql: {
      query:
        "query ($token: String!) {\n  preview(token: $token) { title descriptionHtml user { username } }\n}",
      variables: { token: previewToken },
    },
    rest: null,
  },
  {
    title: "Revoke the link of a draft",
    as: "maya",
    graphql: {
      query: "mutation ($id: ID!) {\n  revokePreviewLink(draftId: $id) { id previewUrl }\n}",
      variables: { id: ids.draft },
    },
    rest: null,
  },
  {
    title: "Read earlier states of a post, as its author or an admin",
    as: "maya",
    graphql: {
      query:
        "query ($id: ID!) {\n  post(id: $id) { revisions(first: 10) { totalCount nodes { id title createdAt editor { username } } } }\n}",
      variables: { id: ids.liked },
    },
    rest: null,
  },
  {
    title: "Restore an earlier state of a post",
    as: "maya",
    graphql: {
      query: `mutation ($id: ID!) {\n  restoreRevision(id: $id) { ${post} }\n}`,
      variables: { id: ids.revision },
    },
    rest: null,
  },
  {
    title: "Edit a published post in a draft of it",
    as: "maya",
    graphql: {
      query: `mutation ($id: ID!) {\n  editPost(id: $id) { ${draft} postUpdatedAt post { id } }\n}`,
      variables: { id: ids.post },
    },
    rest: null,
  },
  {
    title: "Upload a picture for a text or a cover",
    as: "maya",
    graphql: calls.uploadPicture("A wall"),
    rest: null,
  },
  {
    title: "Change the alternative text of a picture",
    as: "maya",
    graphql: {
      query:
        "mutation ($id: ID!, $alt: String!) {\n  updatePictureAlt(id: $id, alt: $alt) { id alt markdown }\n}",
      variables: { id: ids.picture, alt: "A roof" },
    },
    rest: null,
  },
  {
    title: "Render a text like a post's",
    as: "maya",
    graphql: {
      query: "query ($text: String!) {\n  previewMarkdown(text: $text)\n}",
      variables: { text: "Moss is *patient*." },
    },
    rest: null,
  },
  {
    title: "Delete a draft",
    as: "maya",
    graphql: {
      query: "mutation ($id: ID!) {\n  deleteDraft(id: $id) { id message }\n}",
      variables: { id: ids.draft },
    },
    rest: null,
  },
];

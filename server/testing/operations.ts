import { newToken } from "../domain/accounts/tokens.ts";
import { issueToken } from "../domain/accounts/email-tokens.ts";
import { createAccount, ctxOf } from "./accounts.ts";
import { PASSWORD, type TestApp } from "./app.ts";
import { createCategory } from "./factories.ts";
import { searches } from "./parity-calls.ts";
import { content, newComment, newDraft, newTags, newUpload } from "./operation-rows.ts";
import { makePicture } from "./pictures.ts";

/** `prepare` creates what the operation needs, and returns variables or another token. */
type Operation = {
  query: string;
  variables?: object;
  file?: Buffer;
  prepare?: (blog: TestApp) => Promise<Record<string, unknown>>;
};

const picture = await makePicture();

const image = "image { url }";
const person = "{ id viewerIsFollowing username profilePhoto { url } viewerCanEdit }";
const post = `{ id title ${image} excerpt category categoryInfo { id title viewerIsFollowing } likes likeCount viewerHasLiked viewerHasBookmarked commentCount
  readingMinutes tags { id name postCount viewerIsFollowing } viewerCanEdit
  viewerCanDelete user ${person} }`;
const comment = `{ id text username viewerCanDelete user ${person} post { id title ${image} } }`;
const user = "{ id username email isAccountVerified postCount profilePhoto { url } profile { id bio } }";
const cover = "picture { id alt markdown image { url } }";
const draft = `{ id version title description descriptionHtml category tags alt ${cover} ${image} previewUrl user ${person} post ${post} }`;

/** Queries of a list with all fields, by each sort order and with a search. */
const lists = (name: string, search: string, fields: string, sorts: string[]): Operation[] =>
  ["", `search: "${search}"`, ...sorts.map((sort) => `search: "${search}", sort: "${sort}"`)].map((args) => ({
    query: `{ ${name}(first: 50, ${args}) { totalCount pageInfo { endCursor } nodes ${fields} } }`,
  }));

const verb = (name: string, id: string, response: string): Operation => ({
  query: `mutation ($id: ID!) { ${name}(id: $id) ${response} }`,
  variables: { id },
});

let accounts = 0;
const newAccount = (blog: TestApp) => createAccount(blog, { username: `Guest ${++accounts}` });

const toNewAccount = (name: string): Operation => ({
  query: `mutation ($id: ID!) { ${name}(id: $id) { id viewerIsFollowing ... on Profile ${person} } }`,
  prepare: async (blog) => ({ id: (await newAccount(blog)).id }),
});

async function signIn(blog: TestApp) {
  const { token } = await blog.signUp({ username: `Guest ${++accounts}` });
  return { token };
}

const withLink = (purpose: "VERIFY" | "RESET") => async (blog: TestApp) => {
  const { id: userId } = await newAccount(blog);
  const link = await issueToken(ctxOf(blog), blog.db, purpose, userId);
  return { userId, link };
};

const pathOf = (number: number) => `/media/00/00000000-0000-4000-8000-00000000000${number}/picture.jpg`;

const link = "$userId: ID!, $link: String!";

/**
 * All operations of the schema, by field name. Mutations are in an order in which they succeed.
 * @param id of a post with many comments and likes, and of the admin who sends the requests
 */
export const operations = (id: string): Record<string, Operation | Operation[]> => ({
  categories: [
    ...["title", "-postCount"].map((sort) => ({
      query: `{ categories(search: "Title", sort: "${sort}") { id title postCount } }`,
    })),
    { query: `{ categories(first: 50) { id posts(first: 2) { totalCount nodes ${post} } } }` },
  ],
  categoryConnection: lists("categoryConnection", "Title", "{ id title postCount }", ["title", "-postCount"]),
  categoriesCount: { query: `{ categoriesCount(search: "Title") }` },
  comments: lists("comments", "Well", comment, ["createdAt", "author", "-text"]),
  dailyCounts: { query: "{ dailyCounts { day users posts categories comments } }" },
  deletions: {
    query: `query ($since: DateTime!) { deletions(since: $since, first: 50) { totalCount nodes { id type deletedAt } } }`,
    variables: { since: new Date() },
  },
  letters: { query: "{ letters(first: 50) { totalCount nodes { id subject } } }" },
  node: {
    query: `query ($id: ID!) { node(id: $id) { id ... on Post ${post} ... on Profile ${person} } }`,
    variables: { id },
  },
  nodes: {
    query: `query ($ids: [ID!]!) {
      nodes(ids: $ids) { id ... on Post ${post} ... on Comment ${comment} ... on Category { title posts { nodes { id } } } }
    }`,
    prepare: async ({ db }) => {
      const rows = [
        ...(await db.post.findMany({ orderBy: { createdAt: "asc" }, take: 30 })),
        ...(await db.comment.findMany({ orderBy: { createdAt: "asc" }, take: 30 })),
        ...(await db.category.findMany({ orderBy: { title: "asc" }, take: 30 })),
      ];
      return { ids: rows.map((row) => row.id) };
    },
  },
  post: {
    query: `query ($id: ID!) { post(id: $id) { id title ${image} likes user ${person}
      comments(first: 50) { totalCount nodes ${comment} } } }`,
    variables: { id },
  },
  preview: {
    query: `query ($previewToken: String!) { preview(token: $previewToken) ${draft} }`,
    prepare: async (blog) => {
      const { draft: draftId } = await newDraft(id)(blog);
      const token = newToken();
      await blog.db.previewLink.create({ data: { draftId, token } });
      return { previewToken: token };
    },
  },
  posts: [
    {
      query: `{ posts(first: 20) { nodes { id related { id title } previous { id } next { id } } } }`,
    },
    { query: `{ posts(first: 50, tag: "tag 0") { totalCount nodes ${post} } }` },
    ...lists("posts", "Post", post, ["createdAt", "title", "-author"]),
    {
      query: `{ posts(first: 50, orderBy: { field: UPDATED_AT, direction: ASC }, updatedAfter: "2000-01-01T00:00:00Z") {
        nodes { id url descriptionText likers(first: 2) { totalCount nodes ${person} edges { cursor } } } } }`,
    },
    {
      query: `{ posts(first: 50, author: "${id}") {
        nodes { id tags { name } revisions(first: 2) { totalCount nodes { id title editor ${person} } } } } }`,
    },
  ],
  postsCount: { query: "{ postsCount }" },
  profile: {
    query: `query ($id: ID!) { profile(id: $id) { id username posts(first: 50) { totalCount nodes ${post} } } }`,
    variables: { id },
  },
  resetLinkValid: {
    query: `query (${link}) { resetLinkValid(userId: $userId, token: $link) }`,
    prepare: withLink("RESET"),
  },
  tag: { query: `{ tag(name: "TAG 0") { id name postCount } }` },
  tags: lists("tags", "Tag", "{ id name postCount }", ["createdAt", "name", "-postCount"]),
  search: searches(post),
  users: lists("users", "author", user, ["createdAt", "-username", "email"]),
  usersCount: { query: "{ usersCount }" },
  viewer: [
    { query: "{ viewer { id username profilePhoto { url } profile { id bio } sessions { id } } }" },
    {
      query: `{ viewer { bookmarks(first: 50) { totalCount edges { cursor node ${post} } } } }`,
    },
    {
      query: `{ viewer { followed(first: 50) { totalCount edges { cursor node ${post} } } } }`,
    },
    {
      query: `{ viewer { drafts(first: 50) { totalCount nodes ${draft.replace("descriptionHtml", "")} } } }`,
    },
  ],
  draft: { query: `query ($draft: ID!) { draft(id: $draft) ${draft} }`, prepare: newDraft(id) },

  register: {
    query: "mutation ($input: RegisterInput!) { register(input: $input) { message } }",
    variables: { input: { username: "Newcomer", email: "newcomer@example.com", password: PASSWORD } },
  },
  login: {
    query: "mutation ($input: LoginInput!) { login(input: $input) { token viewer { id sessions { id } } } }",
    prepare: async (blog) => ({ input: { email: (await newAccount(blog)).email, password: PASSWORD } }),
  },
  logout: { query: "mutation { logout { message } }", prepare: signIn },
  endSession: {
    query: "mutation ($session: ID!) { endSession(id: $session) { id message } }",
    prepare: async (blog) => {
      const { token } = await signIn(blog);
      const { body } = await blog.gql("{ viewer { sessions { id } } }", {}, token);
      return { token, session: body.data.viewer.sessions[0].id };
    },
  },
  logoutEverywhere: { query: "mutation { logoutEverywhere { message } }", prepare: signIn },
  verifyEmail: {
    query: `mutation (${link}) { verifyEmail(userId: $userId, token: $link) { message } }`,
    prepare: withLink("VERIFY"),
  },
  requestPasswordReset: {
    query: "mutation ($email: String!) { requestPasswordReset(email: $email) { message } }",
    prepare: async (blog) => ({ email: (await newAccount(blog)).email }),
  },
  resetPassword: {
    query: `mutation (${link}) { resetPassword(userId: $userId, token: $link, password: "${PASSWORD}") { message } }`,
    prepare: withLink("RESET"),
  },
  createCategory: { query: `mutation { createCategory(title: "New") { id title postCount } }` },
  deleteCategory: {
    query: "mutation ($id: ID!) { deleteCategory(id: $id) { id } }",
    prepare: async (blog) => ({ id: (await createCategory(blog.db, "Old")).id }),
  },
  renameTag: {
    query: `mutation ($tag: ID!) { renameTag(id: $tag, name: "Tag renamed") { id name postCount } }`,
    prepare: newTags(id),
  },
  mergeTags: {
    query: "mutation ($tag: ID!, $into: ID!) { mergeTags(from: $tag, into: $into) { id name postCount } }",
    prepare: newTags(id),
  },
  createPost: {
    query: `mutation ($input: PostInput!, $image: Upload!) { createPost(input: $input, image: $image) ${post} }`,
    variables: { input: { ...content, tags: ["Slate", "tag 0"] } },
    file: picture,
  },
  updatePost: ['category: "Title 1"', 'tags: ["Slate", "Roofs"]'].map((changes) => ({
    query: `mutation ($id: ID!) { updatePost(id: $id, input: { ${changes} }) ${post} }`,
    variables: { id },
  })),
  updatePostImage: {
    query: `mutation ($id: ID!, $image: Upload!) { updatePostImage(id: $id, image: $image) ${post} }`,
    variables: { id },
    file: picture,
  },
  likePost: verb("likePost", id, post),
  unlikePost: verb("unlikePost", id, post),
  bookmarkPost: verb("bookmarkPost", id, post),
  removeBookmark: verb("removeBookmark", id, post),
  follow: toNewAccount("follow"),
  unfollow: toNewAccount("unfollow"),
  createComment: {
    query: `mutation ($id: ID!) { createComment(postId: $id, text: "Yes.") ${comment} }`,
    variables: { id },
  },
  updateComment: {
    query: `mutation ($comment: ID!) { updateComment(id: $comment, text: "No.") ${comment} }`,
    prepare: newComment(id),
  },
  deleteComment: {
    query: "mutation ($comment: ID!) { deleteComment(id: $comment) { id deletedId } }",
    prepare: newComment(id),
  },
  saveDraft: [
    { query: `mutation { saveDraft(input: { title: "Moss" }) ${draft} }` },
    {
      query: `mutation ($draft: ID!) { saveDraft(id: $draft, version: 1, input: { title: "Fern" }) ${draft} }`,
      prepare: newDraft(id),
    },
  ],
  publishDraft: {
    query: `mutation ($draft: ID!) { publishDraft(id: $draft, version: 1) ${post} }`,
    prepare: newDraft(id),
  },
  scheduleDraft: {
    query: `mutation ($draft: ID!) { scheduleDraft(id: $draft, version: 1, publishAt: "2999-01-01T00:00:00Z") ${draft} }`,
    prepare: newDraft(id),
  },
  createPreviewLink: {
    query: `mutation ($draft: ID!) { createPreviewLink(draftId: $draft) ${draft} }`,
    prepare: newDraft(id),
  },
  revokePreviewLink: {
    query: `mutation ($draft: ID!) { revokePreviewLink(draftId: $draft) ${draft} }`,
    prepare: newDraft(id),
  },
  restoreRevision: {
    query: `mutation ($revision: ID!) { restoreRevision(id: $revision) ${post} }`,
    prepare: async (blog) => {
      const state = { title: "Moss", description: "It grows where it is.", category: "Title 0" };
      const revision = { ...state, postId: id, userId: id, createdAt: new Date() };
      return { revision: (await blog.db.revision.create({ data: revision })).id };
    },
  },
  editPost: { query: `mutation ($id: ID!) { editPost(id: $id) ${draft} }`, variables: { id } },
  previewMarkdown: {
    query: `query ($text: String!) { previewMarkdown(text: $text) }`,
    variables: { text: Array.from({ length: 9 }, (_, each) => `![](${pathOf(each)})`).join(" *Moss* ") },
  },
  uploadPicture: {
    query: `mutation ($image: Upload!) { uploadPicture(image: $image, alt: "A wall") { id alt markdown ${image} } }`,
    file: picture,
  },
  updatePictureAlt: {
    query: `mutation ($picture: ID!) { updatePictureAlt(id: $picture, alt: "A roof") { id markdown } }`,
    prepare: newUpload(id),
  },
  deleteDraft: { query: "mutation ($draft: ID!) { deleteDraft(id: $draft) { id } }", prepare: newDraft(id) },
  updateProfile: {
    query: `mutation ($id: ID!) { updateProfile(id: $id, input: { username: "Renamed" })
      { id username posts(first: 50) { nodes ${post} } } }`,
    variables: { id },
  },
  uploadProfilePhoto: {
    query: "mutation ($image: Upload!) { uploadProfilePhoto(image: $image) { id profilePhoto { url } } }",
    file: picture,
  },
  deletePost: verb("deletePost", id, "{ id }"),
  deleteProfile: {
    ...verb("deleteProfile", id, "{ id }"),
    prepare: async (blog) => {
      await blog.db.user.update({ where: { id: (await newAccount(blog)).id }, data: { isAdmin: true } });
      return {};
    },
  },
});

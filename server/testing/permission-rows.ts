import * as account from "./account-calls.ts";
import { links } from "./account-pair.ts";
import { PASSWORD } from "./app.ts";
import {
  admins,
  allButPostsAuthor,
  author,
  authorAndAdmins,
  everybody,
  owner,
  users,
  type Rule,
} from "./auth-cases.ts";
import * as calls from "./parity-calls.ts";
import { ids, previewToken, type ParityCall } from "./parity.ts";

/** A request in one or both APIs, and its permissions. A test requires a row for every route and operation. */
export type Row = [rule: Rule, graphql: ParityCall["graphql"] | null, rest: ParityCall["rest"] | null];

const both = (rule: Rule, { graphql, rest }: ParityCall): Row => [rule, graphql, rest];
const inGraphql = (rule: Rule, query: string, variables: Record<string, unknown> = {}): Row => [
  rule,
  { query, variables },
  null,
];
const inRest = (rule: Rule, path: string): Row => [rule, null, { method: "GET", path }];

const queries: Row[] = [
  both(everybody, calls.readPost(ids.post)),
  both(everybody, account.checkResetLink(ids.maya, links.reset)),
  inGraphql(everybody, "{ posts { nodes { id title user { username } likes } totalCount } }"),
  inGraphql(everybody, "{ postsCount }"),
  inGraphql(everybody, "query ($since: DateTime!) { deletions(since: $since) { nodes { id type } } }", {
    since: new Date(),
  }),
  inGraphql(everybody, "query ($id: ID!) { node(id: $id) { id ... on Comment { text } } }", {
    id: ids.comment,
  }),
  inGraphql(everybody, "query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Profile { username } } }", {
    ids: [ids.maya, ids.post, ids.craft],
  }),
  inGraphql(everybody, "{ categories { id title postCount } }"),
  inGraphql(everybody, "{ categoryConnection { nodes { id title postCount } totalCount } }"),
  inGraphql(everybody, "{ tags { nodes { id name postCount } totalCount } }"),
  inGraphql(everybody, `{ tag(name: "slate") { id name } }`),
  inGraphql(everybody, "query ($id: ID!) { profile(id: $id) { username } }", { id: ids.maya }),
  inGraphql(everybody, "{ viewer { username sessions { isCurrent } } }"),
  inRest(everybody, "/posts"),
  inRest(everybody, "/posts?pageNumber=1"),
  inRest(everybody, "/posts?category=Craft"),
  inRest(everybody, "/posts?limit=2"),
  inRest(everybody, "/posts?updatedAfter=2000-01-01T00:00:00Z"),
  inRest(admins, "/comments?limit=1"),
  inRest(admins, "/users/profile?limit=1"),
  inRest(everybody, `/deletions?since=${new Date().toISOString()}`),
  inRest(everybody, "/posts/count"),
  inRest(everybody, "/categories"),
  inRest(everybody, `/users/profile/${ids.maya}`),
  both(admins, calls.adminComments),
  both(admins, account.readUsers),
  both(admins, account.countUsers),
  inGraphql(everybody, "{ categoriesCount }"),
  inGraphql(everybody, '{ search(query: "post") { totalCount edges { title { text isMatch } } } }'),
  inGraphql(everybody, "query ($id: ID!) { draft(id: $id) { title } }", { id: ids.draft }),
  inGraphql(admins, "{ letters { nodes { text } } }"),
  inGraphql(admins, "{ dailyCounts { day users posts } }"),
];

const accounts: Row[] = [
  both(
    everybody,
    account.register({ username: "Somebody new", email: "new@example.com", password: PASSWORD }),
  ),
  both(everybody, calls.login("maya@example.com", PASSWORD)),
  both(everybody, account.verifyEmail(ids.unverified, links.verify)),
  both(everybody, account.requestPasswordReset("maya@example.com")),
  both(everybody, account.resetPassword(ids.maya, links.reset, "quite another secret")),
  inGraphql(users, "mutation { logout { message } }"),
  inGraphql(users, "mutation { logoutEverywhere { message } }"),
  inGraphql(owner("session"), "mutation ($id: ID!) { endSession(id: $id) { id } }", { id: ids.session }),
  both(author("not allowed, only user himself"), account.updateProfile(ids.maya, { bio: "I paint." })),
  both(users, account.uploadProfilePhoto()),
  both(authorAndAdmins("not allowed, only user himself or admin"), account.deleteProfile(ids.maya)),
];

const editPost = author("access denied, you are not allowed");
const editComment = author("access denied, only user himself can edit his comment");

const contents: Row[] = [
  both(users, calls.createPost()),
  both(editPost, calls.updatePost(ids.post, { title: "Renamed" })),
  both(editPost, calls.updatePostImage(ids.post)),
  both(users, calls.likePost(ids.noors)),
  both(users, calls.unlikePost(ids.liked)),
  inGraphql(users, "mutation ($id: ID!) { bookmarkPost(id: $id) { id } }", { id: ids.noors }),
  inGraphql(users, "mutation ($id: ID!) { removeBookmark(id: $id) { id } }", { id: ids.liked }),
  inGraphql(users, "mutation ($id: ID!) { follow(id: $id) { id } }", { id: ids.craft }),
  inGraphql(users, "mutation ($id: ID!) { unfollow(id: $id) { id } }", { id: ids.slate }),
  [users, null, { method: "PUT", path: `/posts/${ids.noors}/likes/me` }],
  [users, null, { method: "DELETE", path: `/posts/${ids.liked}/likes/me` }],
  both(authorAndAdmins("access denied, forbidden"), calls.deletePost(ids.post)),
  both(users, calls.createComment(ids.post)),
  both(editComment, calls.updateComment(ids.comment)),
  both(authorAndAdmins("access denied, not allowed"), calls.deleteComment(ids.comment)),
  both(allButPostsAuthor("access denied, not allowed"), calls.deleteComment(ids.noorsComment)),
  both(admins, calls.createCategory("Places")),
  both(admins, calls.deleteCategory(ids.craft)),
  inGraphql(admins, `mutation ($id: ID!) { renameTag(id: $id, name: "Moss") { id } }`, { id: ids.slate }),
  inGraphql(admins, "mutation ($from: ID!, $into: ID!) { mergeTags(from: $from, into: $into) { id } }", {
    from: ids.roofs,
    into: ids.slate,
  }),
];

const writing: Row[] = [
  inGraphql(users, `mutation { saveDraft(input: { title: "Begun" }) { id } }`),
  inGraphql(
    owner("draft"),
    `mutation ($id: ID!) { saveDraft(id: $id, version: 1, input: { title: "Longer" }) { id } }`,
    { id: ids.draft },
  ),
  inGraphql(owner("draft"), "mutation ($id: ID!) { deleteDraft(id: $id) { id } }", { id: ids.draft }),
  inGraphql(owner("draft"), "mutation ($id: ID!) { publishDraft(id: $id, version: 1) { id } }", {
    id: ids.draft,
  }),
  inGraphql(editPost, "mutation ($id: ID!) { editPost(id: $id) { id } }", { id: ids.post }),
  [users, calls.uploadPicture("A wall"), null],
  inGraphql(owner("picture"), `mutation ($id: ID!) { updatePictureAlt(id: $id, alt: "A roof") { id } }`, {
    id: ids.picture,
  }),
  inGraphql(
    owner("draft"),
    `mutation ($id: ID!) { scheduleDraft(id: $id, version: 1, publishAt: "2999-01-01T00:00:00Z") { id } }`,
    { id: ids.draft },
  ),
  inGraphql(owner("draft"), "mutation ($id: ID!) { createPreviewLink(draftId: $id) { id } }", {
    id: ids.unshared,
  }),
  inGraphql(owner("draft"), "mutation ($id: ID!) { revokePreviewLink(draftId: $id) { id } }", {
    id: ids.draft,
  }),
  inGraphql(everybody, `{ preview(token: "${previewToken}") { title } }`),
  inGraphql(editPost, "mutation ($id: ID!) { restoreRevision(id: $id) { id } }", { id: ids.revision }),
  inGraphql(users, `{ previewMarkdown(text: "*Moss*") }`),
];

export const rows: Row[] = [...queries, ...accounts, ...contents, ...writing];

/** Routes that respond alike to every client, whatever the token. */
export const routesForAll: [pattern: RegExp, reason: string][] = [
  [/^HEAD /, "is answered as GET is, without the body"],
  [/^OPTIONS /, "a preflight carries no token"],
  [/^(GET|POST) \/(graphql|playground)(\/.*)?$/, "each of its operations has rows of its own"],
  [/^(PUT|PATCH|DELETE) \/graphql$/, "refused to everybody"],
  [/^GET (\/\*|\/api(\/\*?)?)$/, "pages, the same for all, and unknown paths"],
  [/^GET \/schema\.graphql$/, "the API is public, and so is its description"],
  [/^GET \/api\/(openapi\.json|docs.*)$/, "the API is public, and so is its description"],
  [/^POST \/csp-reports$/, "sent by browsers, which add no token"],
  [/^GET \/\.well-known\//, "for people who have found a weakness"],
  [/^GET \/service-worker\.js$/, "a file of the client's build"],
  [/^GET \/(health|ready|metrics)$/, "asked by machines that have no account"],
  [/^GET \/(assets|media)\//, "files, named by hash or at random"],
  [/^GET \/[\w.-]+\.(svg|png|ico|txt|json|webmanifest)(\.br|\.gz)?$/, "files of the client's build"],
  [
    /^GET \/((posts\/categories\/:title|posts\/tags\/:tag|profile\/:id)\/)?(feed|atom)\.(xml|json)$/,
    "as a visitor sees the blog",
  ],
  [/^GET \/(oembed|sitemap\.xml|sitemap\/:page\.xml)$/, "read by machines, as a visitor sees the blog"],
];

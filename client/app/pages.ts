import { matchRoutes } from "react-router-dom";
import { definePage, type Page } from "./define-page.ts";
import { paths } from "../config/paths.ts";

export const notFoundPage = definePage(
  "*",
  "client/pages/not-found.tsx",
  async () => (await import("../pages/not-found.tsx")).NotFoundPage,
);

const pages: Page[] = [
  definePage(paths.home, "client/pages/home.tsx", async () => (await import("../pages/home.tsx")).HomePage),
  definePage(
    paths.posts,
    "client/pages/posts.tsx",
    async () => (await import("../pages/posts.tsx")).PostsPage,
  ),
  definePage(
    paths.search,
    "client/pages/search.tsx",
    async () => (await import("../pages/search.tsx")).SearchPage,
  ),
  definePage(
    "/posts/categories/:category",
    "client/pages/category.tsx",
    async () => (await import("../pages/category.tsx")).CategoryPage,
  ),
  definePage(
    "/posts/tags/:tag",
    "client/pages/tag.tsx",
    async () => (await import("../pages/tag.tsx")).TagPage,
  ),
  definePage(
    "/posts/details/:id",
    "client/pages/post-details.tsx",
    async () => (await import("../pages/post-details.tsx")).PostDetailsPage,
  ),
  definePage(
    paths.createPost,
    "client/pages/create-post.tsx",
    async () => (await import("../pages/create-post.tsx")).CreatePostPage,
  ),
  definePage(
    paths.drafts,
    "client/pages/writing/drafts.tsx",
    async () => (await import("../pages/writing/drafts.tsx")).DraftsPage,
  ),
  definePage(
    paths.bookmarks,
    "client/pages/reading/bookmarks.tsx",
    async () => (await import("../pages/reading/bookmarks.tsx")).BookmarksPage,
  ),
  definePage(
    paths.following,
    "client/pages/reading/following.tsx",
    async () => (await import("../pages/reading/following.tsx")).FollowingPage,
  ),
  definePage(
    "/preview/:token",
    "client/pages/writing/preview.tsx",
    async () => (await import("../pages/writing/preview.tsx")).PreviewPage,
    { access: "token" },
  ),
  definePage(
    "/posts/edit/:id",
    "client/pages/writing/edit-post.tsx",
    async () => (await import("../pages/writing/edit-post.tsx")).EditPostPage,
    { isBare: true },
  ),
  definePage(
    "/posts/history/:id",
    "client/pages/writing/history.tsx",
    async () => (await import("../pages/writing/history.tsx")).PostHistoryPage,
  ),
  definePage(
    "/drafts/:id",
    "client/pages/writing/draft.tsx",
    async () => (await import("../pages/writing/draft.tsx")).DraftPage,
    { isBare: true },
  ),
  definePage(
    "/profile/:id",
    "client/pages/profile.tsx",
    async () => (await import("../pages/profile.tsx")).ProfilePage,
  ),
  definePage(
    paths.login,
    "client/pages/login.tsx",
    async () => (await import("../pages/login.tsx")).LoginPage,
  ),
  definePage(
    paths.register,
    "client/pages/register.tsx",
    async () => (await import("../pages/register.tsx")).RegisterPage,
  ),
  definePage(
    paths.verify,
    "client/pages/verify-email.tsx",
    async () => (await import("../pages/verify-email.tsx")).VerifyEmailPage,
    { access: "token" },
  ),
  definePage(
    paths.forgotPassword,
    "client/pages/forgot-password.tsx",
    async () => (await import("../pages/forgot-password.tsx")).ForgotPasswordPage,
  ),
  definePage(
    paths.resetPassword,
    "client/pages/reset-password.tsx",
    async () => (await import("../pages/reset-password.tsx")).ResetPasswordPage,
    { access: "token" },
  ),
  definePage(
    paths.admin,
    "client/pages/admin/dashboard.tsx",
    async () => (await import("../pages/admin/dashboard.tsx")).AdminDashboardPage,
  ),
  definePage(
    paths.usersTable,
    "client/pages/admin/users.tsx",
    async () => (await import("../pages/admin/users.tsx")).AdminUsersPage,
  ),
  definePage(
    paths.postsTable,
    "client/pages/admin/posts.tsx",
    async () => (await import("../pages/admin/posts.tsx")).AdminPostsPage,
  ),
  definePage(
    paths.categoriesTable,
    "client/pages/admin/categories.tsx",
    async () => (await import("../pages/admin/categories.tsx")).AdminCategoriesPage,
  ),
  definePage(
    paths.tagsTable,
    "client/pages/admin/tags.tsx",
    async () => (await import("../pages/admin/tags.tsx")).AdminTagsPage,
  ),
  definePage(
    paths.commentsTable,
    "client/pages/admin/comments.tsx",
    async () => (await import("../pages/admin/comments.tsx")).AdminCommentsPage,
  ),
  definePage(
    paths.emails,
    "client/pages/admin/emails.tsx",
    async () => (await import("../pages/admin/emails.tsx")).EmailsPage,
  ),
  definePage(
    paths.offline,
    "client/pages/offline.tsx",
    async () => (await import("../pages/offline.tsx")).OfflinePage,
  ),
  notFoundPage,
];

let last: { pathname?: string; page?: Page | undefined } = {};

/** The page that the router shows, in whatever case and encoding a path is spelled; none if it has a line break. */
export function matchPage(pathname: string): Page | undefined {
  if (pathname !== last.pathname) last = { pathname, page: matchRoutes(pages, pathname)?.at(-1)?.route };
  return last.page;
}

export const pageAt = (pathname: string): Page => matchPage(pathname) ?? notFoundPage;

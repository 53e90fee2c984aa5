export const paths = {
  home: "/",
  login: "/login",
  register: "/register",
  forgotPassword: "/forgot-password",
  verify: "/users/:userId/verify/:token",
  resetPassword: "/reset-password/:userId/:token",
  posts: "/posts",
  search: "/search",
  offline: "/offline",
  createPost: "/posts/create-post",
  drafts: "/drafts",
  bookmarks: "/bookmarks",
  following: "/following",
  admin: "/admin-dashboard",
  usersTable: "/admin-dashboard/users-table",
  postsTable: "/admin-dashboard/posts-table",
  categoriesTable: "/admin-dashboard/categories-table",
  tagsTable: "/admin-dashboard/tags-table",
  commentsTable: "/admin-dashboard/comments-table",
  emails: "/admin-dashboard/letters",
} as const;

export const postsPath = (page: number) => (page > 1 ? `/posts?page=${page}` : "/posts");
export const postPath = (id: string) => `/posts/details/${id}`;
export const editPostPath = (id: string) => `/posts/edit/${id}`;
export const historyPath = (id: string) => `/posts/history/${id}`;
export const categoryPath = (title: string) => `/posts/categories/${encodeURIComponent(title)}`;
export const tagPath = (name: string) => `/posts/tags/${encodeURIComponent(name)}`;
export const profilePath = (id: string) => `/profile/${id}`;
/** Replaces the id in the URL of a new draft, whose id the editor chooses. */
export const NEW_DRAFT = "new";
export const draftPath = (id: string) => `${paths.drafts}/${id}`;
export const emailsPath = (page: number) => (page > 1 ? `${paths.emails}?page=${page}` : paths.emails);

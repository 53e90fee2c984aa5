/** Exact messages of `docs/product.md`; a test compares them. The misspellings are intended: users rely on them. */
export const messages = {
  menuAdmin: "Admin Dachboard",
  loginToComment: "to write a comment you should login first",

  usernameRequired: "Useruser is required",
  emailRequired: "Email is required",
  passwordRequired: "Password is required",

  postTitleRequired: "post title is requierd",
  postCategoryRequired: "post category is requierd",
  postDescriptionRequired: "post description is requierd",
  postImageRequired: "post image is requierd",
  noPostImage: "there is no images",
  noPhoto: "ther is no file!",

  categoryTitleRequired: "Categoary Title is required",
  commentRequired: "Pleace write something",
  editedCommentRequired: "please write something",
} as const;

import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from "graphql";

// Descriptions of fields with self-explanatory names. The others have theirs beside their code.

const types: Record<string, string> = {
  Category: "A category of posts. A post names it by its title.",
  Comment: "A comment on a post.",
  Deleted: "Confirms a deletion.",
  LoginAnswer: "A new session.",
  LoginInput: "The credentials of an account.",
  Message: "A sentence for people, the same as in REST.",
  Mutation: "Changes. Send one a request: a refusal makes the whole response null.",
  Post: "A published post.",
  PostChanges: "Changes of a post. A field that is left out keeps its value.",
  PageInfo: "The position of a page in its list.",
  PostInput: "A new post.",
  Profile: "The public data of an account.",
  ProfileChanges: "Changes of an account. A field that is left out keeps its value.",
  Query: "Reads. None changes anything, so they may be sent by GET.",
  RegisterInput: "A new account.",
  SearchResult: "A result of a search.",
};

/** Descriptions by "Type.field" or "Type.field(argument)". */
const particular: Record<string, string> = {
  "Category.title": "Unique without regard to case.",
  "Deleted.id": "The id of the deleted object.",
  "Image.alt": "What it shows, for those who cannot see it.",
  "Image.height": "Pixels of the original.",
  "LoginAnswer.viewer": "The account that has signed in.",
  "Mutation.createCategory": "For admins.",
  "Mutation.createComment": "Comments on a post; for accounts.",
  "Mutation.createPost": "Publishes a post; for accounts.",
  "Mutation.deleteCategory": "For admins. Posts keep its title.",
  "Mutation.deleteComment": "For its author and admins.",
  "Mutation.deleteDraft": "For its author.",
  "Mutation.deletePost": "For its author and admins. Its comments, likes and picture go too.",
  "Mutation.login": "Begins a session.",
  "Mutation.mergeTags(from)": "The id of the tag to delete.",
  "Mutation.mergeTags(into)": "The id of the remaining tag.",
  "Mutation.renameTag": "For admins. Its posts keep their `updatedAt`.",
  "Mutation.updateComment": "For its author.",
  "Mutation.updatePost": "For its author.",
  "Mutation.updatePostImage": "For its author. The files of the old picture are removed.",
  "Mutation.updateProfile": "For its owner.",
  "Mutation.uploadProfilePhoto": "Gives the own account a photo.",
  "Mutation.verifyEmail": "Verifies the address of a new account.",
  "Post.related(first)": "How many, 1 to 8.",
  "Query.categoriesCount": "How many categories there are.",
  "Query.post": "One post; null where there is none.",
  "Query.postsCount": "How many posts there are.",
  "Query.profile": "What everybody may know of an account; null where there is none.",
  "Query.resetLinkValid": "Whether a link for a new password is good.",
  "Query.tag(name)": "Its name, in any spelling.",
  "Revision.category": "The title of its category then.",
  "Session.createdAt": "When it signed in.",
  "Session.lastSeenAt": "When it sent its last request.",
  "Tag.postCount": "How many posts carry it.",
  "User.isAccountVerified": "Whether the address was verified.",
};

const common: Record<string, string> = {
  alt: "A description of the picture, for those who cannot see it.",
  bio: "A text of the account about itself; 1 000 characters at most.",
  category: "The title of an existing category.",
  categories: "How many categories.",
  commentCount: "How many comments it has.",
  comments: "How many comments.",
  createdAt: "When it was made.",
  cursor: "Identifies this position in the list, for `after` and `before`.",
  description: "The text, in Markdown.",
  draftId: "The draft's id.",
  edges: "The entries of this page with their cursors.",
  email: "The email address.",
  endCursor: "The cursor of the last entry, for `after`; null on an empty page.",
  hasNextPage: "Whether entries follow.",
  hasPreviousPage: "Whether entries precede.",
  id: "Its id, a UUID.",
  image: "The picture: JPEG, PNG, WebP, GIF or AVIF, 10 MiB at most.",
  input: "The fields.",
  isAdmin: "Whether the account is an admin's.",
  message: "A sentence for people.",
  name: "The name.",
  node: "The entry.",
  nodes: "The entries of this page.",
  pageInfo: "The position of this page in the list.",
  password: "8 to 128 characters.",
  post: "The post.",
  postId: "The post's id.",
  posts: "How many posts.",
  profilePhoto: "The photo, or a default picture.",
  publishAt: "A time, or null for none.",
  recipient: "The email address that it is for.",
  search: "Only entries that contain this text; 100 characters at most.",
  startCursor: "The cursor of the first entry, for `before`; null on an empty page.",
  subject: "Its subject.",
  text: "The text.",
  title: "The title.",
  token: "The secret part of a link.",
  updatedAt: "When it changed last.",
  user: "Its author.",
  userId: "The account's id.",
  username: "The name of the account.",
  users: "How many accounts.",
  version: "The version that the change replaces.",
  viewerCanDelete: "Whether the viewer may delete it.",
  viewerCanEdit: "Whether the viewer may change it.",
  viewerHasLiked: "Whether the viewer likes it.",
};

type Described = { name: string; description?: string | null | undefined };

function describe(each: Described, path: string): void {
  each.description ??= particular[path] ?? common[each.name];
}

const ofConnection = (name: string): string | undefined =>
  name.endsWith("Connection")
    ? "A page of a list, by number or by cursors."
    : name.endsWith("Edge")
      ? "An entry of a list with its cursor."
      : undefined;

function describeType(type: GraphQLNamedType): void {
  type.description ??= types[type.name] ?? ofConnection(type.name);
  if (isEnumType(type)) for (const value of type.getValues()) value.description ??= types[value.name];
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return;
  for (const field of Object.values(type.getFields())) {
    const path = `${type.name}.${field.name}`;
    describe(field, path);
    if ("args" in field) for (const argument of field.args) describe(argument, `${path}(${argument.name})`);
  }
}

export function describeSchema(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) if (!type.name.startsWith("__")) describeType(type);
  return schema;
}

import { createHash } from "node:crypto";
import type { CodegenConfig } from "@graphql-codegen/cli";
import { addTypenameSelectionDocumentTransform } from "@graphql-codegen/client-preset";

/** Operations for admins, writers, signed-in readers and searches, generated separately so that readers do not load them. */
const ofAdmins = ["client/pages/admin/*.graphql", "client/features/{admin,emails}/**/*.graphql"];
const ofSearch = ["client/pages/search.graphql", "client/features/search/*.graphql"];
const ofReaders = [
  "client/pages/reading/*.graphql",
  "client/features/{bookmarks/bookmark,following/follow}-button.graphql",
  "client/features/likes/use-like.graphql",
];
const ofWriters = ["client/pages/writing/*.graphql", "client/features/{writing,history}/**/*.graphql"];

/** Operations of the pages with lists, which a post's page does not load. */
const ofLists = [
  "client/pages/{home,posts,category,tag,profile}.graphql",
  "client/features/categories/all-categories.graphql",
];
const fragmentsOfLists = [
  "client/features/posts/post-card.graphql",
  "client/features/profiles/profile-head.graphql",
  "client/features/categories/category-list.graphql",
  "client/ui/basics/picture.graphql",
];

/** Operations of forms whose code is loaded on demand. */
const ofForms = [
  "client/features/posts/{post-fields,use-change-post,use-create-post}.graphql",
  "client/features/accounts/{session-list,use-login,use-password-reset,use-register,use-verify-email}.graphql",
  "client/features/profiles/use-profile.graphql",
  "client/features/comments/use-{create,change}-comment.graphql",
  "client/features/categories/add-category-form.graphql",
  "client/ui/forms/*.graphql",
];
const fragmentsOfForms = [
  "client/features/posts/{post-article,post-card}.graphql",
  "client/features/profiles/profile-head.graphql",
  "client/features/comments/comment-{item,rights}.graphql",
  "client/features/categories/category-list.graphql",
  "client/ui/basics/picture.graphql",
];

const client = (documents: string[]) => ({
  documents,
  preset: "client" as const,
  presetConfig: {
    fragmentMasking: false,
    // Bare hex digits, as in `extensions.persistedQuery.sha256Hash`.
    persistedDocuments: {
      hashAlgorithm: (text: string) => createHash("sha256").update(text).digest("hex"),
    },
  },
  // The persisted text must equal the client's, whose cache adds __typename.
  documentTransforms: [addTypenameSelectionDocumentTransform],
  config: {
    scalars: { DateTime: "string", Upload: "File" },
    strictScalars: true,
    useTypeImports: true,
    enumsAsTypes: true,
    dedupeFragments: true,
  },
});

const config: CodegenConfig = {
  schema: "schema.graphql",
  generates: {
    "client/generated/": client([
      "client/**/*.graphql",
      ...[...ofAdmins, ...ofForms, ...ofLists, ...ofReaders, ...ofSearch, ...ofWriters].map(
        (files) => `!${files}`,
      ),
    ]),
    "client/generated/admin/": client([...ofAdmins, "client/ui/basics/picture.graphql"]),
    "client/generated/forms/": client([...ofForms, ...fragmentsOfForms]),
    "client/generated/lists/": client([...ofLists, ...fragmentsOfLists]),
    "client/generated/reading/": client([
      ...ofReaders,
      "client/features/likes/like-button.graphql",
      "client/features/posts/post-card.graphql",
      "client/ui/basics/picture.graphql",
    ]),
    "client/generated/search/": client([...ofSearch, "client/ui/basics/picture.graphql"]),
    "client/generated/writing/": client([...ofWriters, "client/ui/basics/picture.graphql"]),
  },
};

export default config;

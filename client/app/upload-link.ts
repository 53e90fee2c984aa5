import UploadHttpLink from "apollo-upload-client/UploadHttpLink.mjs";

export const uploadLink = new UploadHttpLink({
  uri: "/graphql",
  headers: { "apollo-require-preflight": "true" },
});

import UploadHttpLink from "apollo-upload-client/UploadHttpLink.mjs";
import { fetchWithProgress } from "../../lib/forms/fetch-with-progress.ts";

export const uploadLink = new UploadHttpLink({
  uri: "/graphql",
  headers: { "apollo-require-preflight": "true" },
  fetch: fetchWithProgress,
});

declare module "apollo-upload-client/UploadHttpLink.mjs" {
  import { ApolloLink } from "@apollo/client";

  type Options = {
    uri: string;
    headers?: Record<string, string>;
    fetch?: (uri: string, options: RequestInit) => Promise<Response>;
  };

  /** The package ships its types as JSDoc, which the compiler does not read. */
  export default class UploadHttpLink extends ApolloLink {
    constructor(options: Options);
  }
}

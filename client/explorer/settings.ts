/** Values that the server writes into the head of this page (server/graphql/endpoint/explorer.ts). */
const contentOf = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;

/** The login of a demo blog, else an example. */
export function loginExample(): { EMAIL: string; PASSWORD: string } {
  const [EMAIL = "you@example.com", PASSWORD = "your password"] = contentOf("demo-login")?.split(" ") ?? [];
  return { EMAIL, PASSWORD };
}

/** Lets the dialogs of GraphiQL add a style sheet; get-nonce, which they use, reads this name. */
export function exposeStyleNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: contentOf("style-nonce") });
}

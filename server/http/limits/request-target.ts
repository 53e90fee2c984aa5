import { respondEarly, type Middleware } from "../middleware.ts";

const ABSOLUTE = /^https?:\/\//i;

/** Accepts the absolute form of a request target (RFC 9112, 3.2.2), and refuses what is no path, such as `*`. */
export const readTarget: Middleware = (next) => (call) => {
  const { request, response } = call;
  const { url = "/" } = request;
  if (url.startsWith("/")) return next(call);
  if (ABSOLUTE.test(url) && URL.canParse(url)) {
    const { pathname, search } = new URL(url);
    request.url = pathname + search;
    return next(call);
  }
  const refusal = { message: "the target of the request is not a path", code: "BAD_USER_INPUT" };
  respondEarly(response, 400, refusal, { connection: "close" });
};

import { respondEarly, type Call, type Middleware } from "../middleware.ts";

/** Node would respond to these requests without an event: nothing would limit how many of them a packet has. */
export const refuseInvalidHead: Middleware = (next) => (call) => {
  const { headers, httpVersion } = call.request;
  if (httpVersion !== "1.1") return next(call);
  if (headers.host === undefined) return refuse(call, 400, "a request needs a Host header");
  if (headers.expect === undefined || /^100-continue$/i.test(headers.expect)) return next(call);
  refuse(call, 417, "the only supported expectation is 100-continue");
};

/** In characters. Browsers send some 150, and Apollo's parser of media types takes 40 ms for 15 000. */
const MAX_ACCEPT = 300;

/** Ignores a long Accept header, as a server may (RFC 9110, 12.5.1). */
export const ignoreLongAccept: Middleware = (next) => (call) => {
  const { headers } = call.request;
  if (headers.accept !== undefined && headers.accept.length > MAX_ACCEPT) delete headers.accept;
  next(call);
};

const ABSOLUTE = /^https?:\/\//i;

/** Accepts the absolute form of a request target (RFC 9112, 3.2.2), and refuses what is no path, such as `*`. */
export const readTarget: Middleware = (next) => (call) => {
  const { request } = call;
  const { url = "/" } = request;
  if (url.startsWith("/")) return next(call);
  if (ABSOLUTE.test(url) && URL.canParse(url)) {
    const { pathname, search } = new URL(url);
    request.url = pathname + search;
    return next(call);
  }
  refuse(call, 400, "the target of the request is not a path");
};

const refuse = ({ response }: Call, status: number, message: string): void =>
  respondEarly(response, status, { message, code: "BAD_USER_INPUT" }, { connection: "close" });

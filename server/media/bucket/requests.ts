import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { PICTURE_FILE_BYTES } from "../../limits.ts";
import type { HttpThread, ServiceResponse } from "../../outgoing/http-thread.ts";

const KB = 1024;

const UNSIGNALLED_MS = 5_000;

/** Bytes of a picture, and of XML, which takes 0.4 s a megabyte: a list of all keys or those of a picture, an error. */
const MAX_BYTES = { picture: PICTURE_FILE_BYTES, list: 1024 * KB, files: 32 * KB, error: 16 * KB };
/** No service sends one, and the parser of the SDK copies the whole answer for each. */
const DOCTYPE = /<!doctype/i;

type Handler = S3Client["config"]["requestHandler"];
type SdkRequest = Parameters<Handler["handle"]>[0];

/** Sends the requests of the SDK from a thread, with limits for their answers. */
export function createRequestHandler(thread: HttpThread): Handler {
  return {
    metadata: { handlerProtocol: "http/1.1" },
    async handle(request, options = {}) {
      // The SDK gives none to its requests for a key by a role.
      const { abortSignal = AbortSignal.timeout(UNSIGNALLED_MS) } = options as { abortSignal?: AbortSignal };
      const { method, headers, body } = request;
      const response = await thread.send({ url: urlOf(request), method, headers, body }, abortSignal);
      const { status: statusCode } = response;
      const kind = statusCode >= 300 ? "error" : kindOf(request);
      return { response: { statusCode, headers: response.headers, body: toStream(response, kind) } };
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    destroy: thread.close,
  };
}

function urlOf({ protocol, hostname, port, path, query = {} }: SdkRequest): string {
  const fields = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => `${encode(name)}=${encode(String(each ?? ""))}`),
  );
  const host = port ? `${hostname}:${port}` : hostname;
  return `${protocol}//${host}${path}${fields.length > 0 ? `?${fields.join("&")}` : ""}`;
}

function kindOf({ query = {} }: SdkRequest): keyof typeof MAX_BYTES {
  if (query["x-id"] === "GetObject") return "picture";
  return query["prefix"] ? "files" : "list";
}

/** As signatures do. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** A picture has been admitted before its body is read. */
function toStream(response: ServiceResponse, kind: keyof typeof MAX_BYTES): Readable {
  const readBody = async () => {
    const body = await response.read(MAX_BYTES[kind]);
    if (kind !== "picture" && DOCTYPE.test(body.toString("latin1")))
      throw new Error("the answer of the bucket has a document type");
    return body;
  };
  return new Readable({
    read() {
      readBody().then(
        (body) => {
          if (body.length > 0) this.push(body);
          this.push(null);
        },
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      response.discard();
      done(error);
    },
  });
}

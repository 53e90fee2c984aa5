import type { FastifyRequest } from "fastify";
import Upload from "graphql-upload/Upload.mjs";
import { badInput } from "../../errors.ts";
import { formError, parseField, parseParts, readFile } from "../../http/multipart.ts";
import { TEXT_BODY_BYTES } from "../../limits.ts";
import type { UploadedFile } from "./uploads.ts";

const limits = { fields: 2, fieldSize: TEXT_BODY_BYTES };

type Json = Record<string, unknown>;
type Parts = ReturnType<typeof parseParts>;

/**
 * Reads `operations` and `map` of a GraphQL multipart request with at most one file, and puts an Upload into the
 * variable that `map` names. A resolver reads the file after its permission checks. graphql-upload's
 * processRequest is unsafe here: it writes to every path in `map`, prototypes included.
 * @returns the GraphQL request
 * @throws BAD_USER_INPUT, PAYLOAD_TOO_LARGE
 */
export async function readOperations(request: FastifyRequest): Promise<Json> {
  const parts = parseParts(request, limits);
  try {
    const operations = await readJsonField(parts, "operations");
    const map = Object.values(await readJsonField(parts, "map"));
    if (map.length > 1) throw badInput("one upload a request: `map` names several files");
    const [paths] = map;
    if (paths !== undefined) setUpload(operations, paths, uploadFrom(request, parts));
    return operations;
  } catch (error) {
    throw formError(error as Error);
  }
}

async function readJsonField(parts: Parts, name: string): Promise<Json> {
  const { value: part, done } = await parts.next();
  if (done || part.type === "file" || part.fieldname !== name)
    throw badInput("a GraphQL form has the fields `operations`, `map` and the file, in this order");
  const value = parseField(part);
  if (!isRecord(value)) throw badInput(`\`${name}\` must be a JSON object`);
  return value;
}

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `variables.image`, `variables.input.pictures.0` */
const PATH = /^variables((?:\.\w{1,100}){1,10})$/;

/** Replaces a `null` among own properties only, against prototype pollution. @throws BAD_USER_INPUT */
function setUpload(operations: Json, paths: unknown, upload: Upload): void {
  const [path, ...others] = Array.isArray(paths) ? (paths as unknown[]) : [];
  if (others.length > 0) throw badInput("one upload a request: `map` names several places for the file");
  const steps = PATH.exec(typeof path === "string" ? path : "")?.[1]
    ?.slice(1)
    .split(".");
  const last = steps?.pop();
  let target: unknown = ownValue(operations, "variables");
  for (const step of steps ?? []) target = ownValue(target, step);
  if (last === undefined || ownValue(target, last) !== null)
    throw badInput("`map` must name a variable whose value is null, such as `variables.image`");
  (target as Json)[last] = upload;
}

const ownValue = (holder: unknown, name: string): unknown =>
  typeof holder === "object" && holder !== null && Object.hasOwn(holder, name)
    ? (holder as Json)[name]
    : undefined;

function uploadFrom(request: FastifyRequest, parts: Parts): Upload {
  const upload = new Upload();
  let isRead = false;
  const read: UploadedFile["read"] = async () => {
    if (isRead) throw badInput("one upload a request: the file was used already");
    isRead = true;
    return readRest(request, parts).catch((error: Error) => {
      throw formError(error);
    });
  };
  upload.resolve({ read } as never);
  return upload;
}

/** Reads the whole form, so that parts behind the file are refused instead of ignored. */
async function readRest(request: FastifyRequest, parts: Parts): Promise<Buffer | null> {
  let bytes: Buffer | null = null;
  for (let part = await parts.next(); !part.done; part = await parts.next())
    if (part.value.type === "file") bytes = await readFile(request, part.value);
  return bytes;
}

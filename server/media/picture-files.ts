import type { OpenPicture } from "../domain/ports.ts";
import type { EncodedFile } from "./encode.ts";

/** Where the files of pictures are: a folder or a bucket, both with the layout `ab/abcdef…/480.webp`. */
export type PictureFiles = {
  kind: "folder" | "bucket";
  /** For operators: the folder, or the bucket without its keys. */
  name: string;
  /** @throws INSUFFICIENT_STORAGE */
  requireDiskSpace: () => Promise<void>;
  /** Stores a new picture, or replaces one. Nothing stays of it after an error. @throws INSUFFICIENT_STORAGE */
  create: (id: string, files: EncodedFile[]) => Promise<void>;
  /** Adds a file to a picture. @throws INSUFFICIENT_STORAGE, ENOENT without the picture */
  add: (id: string, name: string, bytes: Buffer) => Promise<void>;
  has: (id: string, name: string) => Promise<boolean>;
  /** @throws ENOENT */
  read: (id: string, name: string) => Promise<Buffer>;
  open: OpenPicture;
  /** The files of a picture; none if it does not exist. */
  namesOf: (id: string) => Promise<string[]>;
  /** Removes a picture, or one of its files. Idempotent. */
  remove: (id: string, name?: string) => Promise<void>;
  /** Ids of all pictures in batches, and the names of what interrupted writes have left. */
  list: () => AsyncIterable<string[]>;
  /** When a listed picture was last written, in milliseconds; null if it is gone. */
  modifiedAt: (name: string) => Promise<number | null>;
  /**
   * Copies a picture into a folder, where it survives its deletion.
   * @returns false if the picture does not exist or is being deleted
   */
  copyInto: (id: string, folder: string) => Promise<boolean>;
  /** Takes a picture that does not exist from such a folder. */
  restore: (id: string, folder: string) => Promise<void>;
  /** The id that database and store share; null without one. */
  readStoreId: () => Promise<string | null>;
  writeStoreId: (mark: string) => Promise<void>;
};

export const JPEG = "picture.jpg";

/** The file of a picture as it was uploaded, until a job has made all others. Files with a dot are not served. */
export const UPLOAD = ".upload";

export const STORE_ID_FILE = ".folder-id";

const PICTURE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** File names of the encoder, the only ones allowed in a store. */
const FILE = /^(\d{1,5}\.(webp|avif)|picture\.jpg|card\.jpg|\.upload)$/;

export const isPictureId = (name: string): boolean => PICTURE.test(name);
export const isFileName = (name: string): boolean => FILE.test(name);

/** The ids of all pictures, without leftovers. */
export async function idsIn(files: PictureFiles): Promise<string[]> {
  const ids: string[] = [];
  for await (const names of files.list()) ids.push(...names.filter(isPictureId));
  return ids;
}

const types: Record<string, string> = { webp: "image/webp", avif: "image/avif", jpg: "image/jpeg" };

export const typeOf = (name: string): string => types[name.split(".")[1] ?? ""] ?? "application/octet-stream";

export const missingFileError = (message: string): Error =>
  Object.assign(new Error(message), { code: "ENOENT" });
export const isMissingFile = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

export function nullIfMissing(error: unknown): null {
  if (isMissingFile(error)) return null;
  throw error;
}

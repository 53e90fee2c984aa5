import type { ReadCtx } from "../../domain/context.ts";
import { requireViewer } from "../../domain/permissions.ts";
import { receiveUpload } from "../../http/limits/upload-places.ts";

/** Value of the Upload scalar: a file that is not read yet. */
export type UploadedFile = {
  /** Works once a request. @returns null for a missing or empty file @throws BAD_USER_INPUT, PAYLOAD_TOO_LARGE */
  read: () => Promise<Buffer | null>;
};

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, PAYLOAD_TOO_LARGE, RATE_LIMITED */
export async function readUpload(ctx: ReadCtx, upload: Promise<UploadedFile>): Promise<Buffer | null> {
  const account = requireViewer(ctx).id;
  const { read } = await upload;
  return receiveUpload({ account, origin: ctx.origin }, read);
}

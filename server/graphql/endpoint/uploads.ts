import type { Ctx } from "../../domain/context.ts";
import { requireViewer } from "../../domain/permissions.ts";
import { receiveUpload } from "../../http/upload-places.ts";

/** What the Upload scalar resolves to: the file of a form that is still to be read from the connection. */
export type UploadedFile = {
  /**
   * Works once a request. Null when the form has no file, or an empty one.
   * @throws BAD_USER_INPUT, PAYLOAD_TOO_LARGE
   */
  read: () => Promise<Buffer | null>;
};

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, PAYLOAD_TOO_LARGE, RATE_LIMITED */
export async function readUpload(ctx: Ctx, upload: Promise<UploadedFile>): Promise<Buffer | null> {
  const account = requireViewer(ctx).id;
  const { read } = await upload;
  return receiveUpload({ account, origin: ctx.origin }, read);
}

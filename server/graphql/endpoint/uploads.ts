import type { ReadCtx } from "../../domain/context.ts";
import { requireViewer } from "../../domain/permissions.ts";
import type { UploadForm } from "../../domain/posts/post-changes.ts";
import { withUploadPermit } from "../../http/limits/upload-permits.ts";

/** Value of the Upload scalar: a file that is not read yet. */
export type UploadedFile = {
  /** Works once a request. @returns null for a missing or empty file @throws BAD_USER_INPUT, PAYLOAD_TOO_LARGE */
  read: () => Promise<Buffer | null>;
};

type Form = { fields: unknown; image: Promise<UploadedFile> };

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, PAYLOAD_TOO_LARGE, RATE_LIMITED, and the errors of the verb */
export async function withImage<T>(
  ctx: ReadCtx,
  { fields, image }: Form,
  verb: (readForm: () => Promise<UploadForm>) => Promise<T>,
): Promise<T> {
  const uploader = { account: requireViewer(ctx).id, origin: ctx.origin };
  return withUploadPermit(uploader, async () => ({ fields, image: await (await image).read() }), verb);
}

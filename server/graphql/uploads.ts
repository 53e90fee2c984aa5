import type { FileUpload } from "graphql-upload/processRequest.mjs";
import { buffer } from "node:stream/consumers";
import { BlogError } from "../errors.ts";

/** An uploaded file whole in memory; the size limit is graphql-upload's to keep. */
export async function readUpload(upload: Promise<FileUpload>): Promise<Buffer | null> {
  try {
    const { createReadStream } = await upload;
    const bytes = await buffer(createReadStream());
    // A form sent without choosing a file has an empty one.
    return bytes.length > 0 ? bytes : null;
  } catch (error) {
    if ((error as { status?: number }).status === 413)
      throw new BlogError("PAYLOAD_TOO_LARGE", "File too large", { cause: error });
    throw new BlogError("BAD_USER_INPUT", "the upload was cut off or is not well formed", { cause: error });
  }
}

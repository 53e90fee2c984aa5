/** What the Upload scalar resolves to: the file of a form that is still to be read from the connection. */
export type UploadedFile = {
  /**
   * Works once a request. Null when the form has no file, or an empty one.
   * @throws BAD_USER_INPUT, PAYLOAD_TOO_LARGE
   */
  read: () => Promise<Buffer | null>;
};

export const readUpload = async (upload: Promise<UploadedFile>): Promise<Buffer | null> =>
  (await upload).read();

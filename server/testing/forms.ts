export type FormPart = { name: string; value: string | Buffer; filename?: string };

/** Encodes a multipart body as browsers do. */
export function encodeForm(form: FormPart[]): { payload: Buffer; headers: Record<string, string> } {
  const boundary = "----blog-test-boundary";
  const chunks = form.flatMap(({ name, value, filename }) => {
    const file =
      filename === undefined ? "" : `; filename="${filename}"\r\nContent-Type: application/octet-stream`;
    return [`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`, value, "\r\n"];
  });
  const payload = Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk)));
  return { payload, headers: { "content-type": `multipart/form-data; boundary=${boundary}` } };
}

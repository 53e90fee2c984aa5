export type FormPart = { name: string; value: string | Buffer; filename?: string; type?: string };

/** Encodes a multipart body as browsers do. */
export function encodeForm(form: FormPart[]): { payload: Buffer; headers: Record<string, string> } {
  const boundary = "----blog-test-boundary";
  const chunks = form.flatMap(({ name, value, filename, type }) => {
    const file =
      filename === undefined ? "" : `; filename="${filename}"\r\nContent-Type: application/octet-stream`;
    const field = type === undefined ? "" : `\r\nContent-Type: ${type}`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}${field}`;
    return [`${head}\r\n\r\n`, value, "\r\n"];
  });
  const payload = Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk)));
  return { payload, headers: { "content-type": `multipart/form-data; boundary=${boundary}` } };
}

type Operation = { query: string; variables: string };
type Options = { url: string; hasToken: boolean; fileName: string };

/** The first variable of the type Upload, which the chosen file becomes. */
export const uploadVariable = (query: string): string | undefined =>
  /\$(\w+)\s*:\s*Upload\b/.exec(query)?.[1];

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The command that sends an operation as this page does. The token stays out: it is in the shell's variable TOKEN. */
export function curlOf({ query, variables }: Operation, { url, hasToken, fileName }: Options): string {
  const given = (variables.trim() ? JSON.parse(variables) : {}) as Record<string, unknown>;
  const name = uploadVariable(query);
  const parts = [`curl ${quoted(url)}`];
  if (hasToken) parts.push('-H "authorization: Bearer $TOKEN"');
  if (name) {
    const operations = JSON.stringify({ query, variables: { ...given, [name]: null } });
    parts.push("-H 'apollo-require-preflight: 1'", `--form-string ${quoted(`operations=${operations}`)}`);
    parts.push(
      `--form-string ${quoted(`map={"0":["variables.${name}"]}`)}`,
      `-F ${quoted(`0=@${fileName}`)}`,
    );
  } else {
    const body = JSON.stringify({ query, variables: given });
    parts.push("-H 'content-type: application/json'", `--data-binary ${quoted(body)}`);
  }
  return parts.join(" \\\n  ");
}

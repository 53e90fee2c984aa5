let entry: string | null = null;

/** @param script the address of this build's first script, which is gone once the server has another build */
export function rememberBuild(script: string): void {
  entry = script;
}

/**
 * Loads code on demand. A page may be older than the server: after an update the code it asks for is gone. It is then
 * loaded anew, at the address the reader has chosen; what was typed is kept by `useDraft`.
 * @throws what `find` throws, when this build is still there or the server cannot be reached
 */
export async function loadCode<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (!(await isReplaced())) throw error;
    location.reload();
    return new Promise(() => {});
  }
}

const isReplaced = async () =>
  entry !== null &&
  (await fetch(entry, { method: "HEAD", cache: "no-store" }).then(
    ({ status }) => status === 404,
    () => false,
  ));

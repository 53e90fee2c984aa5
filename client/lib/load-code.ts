let entry: string | null = null;

/** @param script the URL of this build's entry script, which responds 404 after an update of the server */
export function rememberBuild(script: string): void {
  entry = script;
}

/**
 * Loads a chunk. If an update of the server removed it, reloads the page at its current URL; `useDraft` keeps input.
 * @throws the error of `find` if this build is still served or the server is unreachable
 */
export async function loadCode<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    await reloadIfReplaced();
    throw error;
  }
}

/** Reloads the page, and never resolves, if the server has another build. */
export async function reloadIfReplaced(): Promise<void> {
  if (!(await isReplaced())) return;
  location.reload();
  await new Promise(() => {});
}

const isReplaced = async () =>
  entry !== null &&
  (await fetch(entry, { method: "HEAD", cache: "no-store" }).then(
    ({ status }) => status === 404,
    () => false,
  ));

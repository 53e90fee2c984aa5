const PREFIX = "graphiql:";
const [QUERY, VARIABLES] = [`${PREFIX}query`, `${PREFIX}variables`];
const SECRET = /password/i;

type Operation = { query?: string | null; variables?: string | null; headers?: string | null };

const hasSecret = ({ query, variables }: Operation) => SECRET.test(`${query ?? ""}${variables ?? ""}`);

/** The lists of GraphiQL's storage: its history, its favourites, and the open tabs. */
type StoredTabs = { queries?: Operation[]; favorites?: Operation[]; tabs?: Operation[] };

/** Removes operations that mention a password, and all headers, for tokens; tabs stay open, without text and variables. */
function withoutSecrets(text: string): string | null {
  const stored = parse(text);
  if (!stored) return SECRET.test(text) ? null : text;
  for (const list of ["queries", "favorites"] as const)
    if (stored[list]) stored[list] = stored[list].filter((operation) => !hasSecret(operation));
  for (const tab of stored.tabs ?? []) if (hasSecret(tab)) [tab.query, tab.variables] = [null, null];
  for (const list of [stored.queries, stored.favorites, stored.tabs])
    for (const operation of list ?? []) delete operation.headers;
  const rest = JSON.stringify(stored);
  return SECRET.test(rest) ? null : rest;
}

function parse(text: string): StoredTabs | null {
  try {
    const stored = JSON.parse(text) as StoredTabs;
    return stored.queries || stored.favorites || stored.tabs ? stored : null;
  } catch {
    return null;
  }
}

/** GraphiQL's storage in `localStorage`, which never holds a password or a header. */
export function createStorage(storage: Storage = localStorage) {
  const own = () => Object.keys(storage).filter((key) => key.startsWith(PREFIX));
  let query = "";
  const setItem = (key: string, text: string) => {
    if (key === QUERY) query = text;
    // Its variables may have any name.
    const isOfPassword = SECRET.test(query);
    if (isOfPassword) storage.removeItem(VARIABLES);
    const rest = isOfPassword && key === VARIABLES ? null : withoutSecrets(text);
    if (rest === null) storage.removeItem(key);
    else storage.setItem(key, rest);
  };
  // Earlier releases stored passwords.
  for (const key of own()) setItem(key, storage.getItem(key) ?? "");
  return {
    getItem: (key: string) => storage.getItem(key),
    setItem,
    removeItem: (key: string) => storage.removeItem(key),
    clear: () => own().forEach((key) => storage.removeItem(key)),
    get length() {
      return own().length;
    },
  };
}

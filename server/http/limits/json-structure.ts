/** Characters outside of strings: a thousand keys or levels take longer to parse and check than any text. */
const MAX_STRUCTURE = 5_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether a JSON text has more than 5 000 characters outside of its strings, in one pass. */
export function hasTooManyValues(json: string): boolean {
  if (json.length <= MAX_STRUCTURE) return false;
  let outside = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) isInString = !isInString;
    else if (!isInString) outside++;
    else if (code === BACKSLASH) index++;
    if (outside > MAX_STRUCTURE) return true;
  }
  return false;
}

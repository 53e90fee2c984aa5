/** The only names that visitors may read: others are private, or no pictures. */
const FILE =
  /^\/media\/(?<shard>[0-9a-f]{2})\/(?<id>\k<shard>[0-9a-f]{6}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(?<file>\d{1,5}\.(?:webp|avif)|(?:picture|card)\.jpg)(?:\?|$)/;

/** The parts of `/media/ab/abcdef…/480.webp`. @returns null if the URL is not a picture's */
export function parsePictureUrl(url: string): { id: string; file: string } | null {
  const { id = "", file = "" } = FILE.exec(url)?.groups ?? {};
  return id ? { id, file } : null;
}

/** Where the pictures are: the folder `media` of DATA_DIR, or a bucket. */
export type StoreUrl = "folder" | { bucket: string; endpoint?: string; region?: string };

/** Of `folder` or `s3://bucket?endpoint=https://…&region=…`. @returns null for anything else */
export function parseStoreUrl(text: string): StoreUrl | null {
  if (text === "folder") return text;
  if (!text.startsWith("s3://") || !URL.canParse(text)) return null;
  const { hostname: bucket, username, port, pathname, searchParams } = new URL(text);
  if (!bucket || username || port || !["", "/"].includes(pathname)) return null;
  const { endpoint, region, ...others } = Object.fromEntries(searchParams);
  if (Object.keys(others).length > 0 || (endpoint !== undefined && !isWebUrl(endpoint))) return null;
  return { bucket, ...(endpoint && { endpoint }), ...(region && { region }) };
}

const isWebUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

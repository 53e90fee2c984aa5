/** What a request may weigh, in bytes and pixels. Lengths of single fields stand with the verbs of the domain. */
export const BODY_BYTES = 100 * 1024;
export const PICTURE_BYTES = 10 * 1024 * 1024;
export const PICTURE_PIXELS = 50_000_000;

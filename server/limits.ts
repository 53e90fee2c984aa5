/** What a request may weigh, in bytes and pixels. Lengths of single fields stand with the verbs of the domain. */
export const BODY_BYTES = 100 * 1024;
export const PICTURE_BYTES = 10 * 1024 * 1024;
export const PICTURE_PIXELS = 50_000_000;
/** No picture is wider as AVIF: that takes 200 MB more while it is made, and saves the least. */
export const AVIF_WIDTH = 960;

/** How long callers may take, in milliseconds, and how many of them are served at a time. */
export const LIMITS = {
  /** The head of a request, from the first byte of its connection. */
  head: 10_000,
  body: 20_000,
  upload: 10 * 60_000,
  /** An upload's bytes per second, once it had time to begin. */
  uploadRate: 8 * 1024,
  uploadStart: 10_000,
  /** How often all of that is looked after. */
  sweep: 5_000,
  /** What is still thrown away of a body that was refused, before the line is cut. */
  discard: 1_000,
  discardBytes: 8 * 1024 * 1024,
  /** How many calls may be under way: as many as are answered in `wait`, where that is known, within bounds. */
  wait: 2_000,
  inFlightAtFirst: 250,
  inFlightAtLeast: 100,
  inFlightAtMost: 500,
  /** How many more are told so in a second; the next ones wait for their turn. */
  refusals: 500,
};

export type Limits = typeof LIMITS;

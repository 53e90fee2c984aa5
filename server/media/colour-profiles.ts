/** Bytes; profiles of printers have about two million. */
const MAX_SIZE = 4_000_000;
/** Little CMS reads no more. */
const MAX_TAGS = 100;
const HEADER = 128;
const ENTRY = 12;

/** Tags of a profile (ICC.1:2022) that define its conversions, and the types whose work does not depend on their content. */
const conversions = /^(A2B|B2A|D2B|B2D|gamt|pre|.TRC)/;
const bounded = new Set(["mft1", "mft2", "mAB ", "mBA ", "curv", "para"]);

/**
 * Whether a picture may be converted by its profile. Refused are multi-process elements, of which a kilobyte holds a
 * hundred thousand: Little CMS runs all of them for each of thousands of colours, and cannot be interrupted.
 */
export function isConvertible(profile: Buffer): boolean {
  if (profile.length < HEADER + 4 || profile.length > MAX_SIZE) return false;
  const count = profile.readUInt32BE(HEADER);
  const end = HEADER + 4 + count * ENTRY;
  if (count > MAX_TAGS || end > profile.length) return false;
  for (let at = HEADER + 4; at < end; at += ENTRY) {
    const type = profile.readUInt32BE(at + 4);
    if (conversions.test(textAt(profile, at)) && !bounded.has(textAt(profile, type))) return false;
  }
  return true;
}

const textAt = (profile: Buffer, at: number) => profile.toString("latin1", at, at + 4);

import sharp, { type Metadata } from "sharp";
import { BlogError, fileTooLarge } from "../errors.ts";
import { isDecodable } from "./avif-items.ts";
import { isConvertible } from "./colour-profiles.ts";
import { AVIF_PIXELS, FIRST_WIDTH, JPEG_WIDTH, PICTURE_BYTES, PICTURE_PIXELS } from "../limits.ts";

/** Widths in pixels, from a small avatar to a wide screen. A picture is never enlarged. */
const WIDTHS = [160, 480, 720, 960, 1600];
const PLACEHOLDER_WIDTH = 16;
/** The size that link previews of other sites show. */
const CARD = { width: 1_200, height: 630 };
/** WebP's limit. */
const MAX_HEIGHT = 16_383;
/** Pixels of the largest file, which bound the time to encode it: tall pictures become narrower. */
const MAX_AREA = 5_000_000;

// Blocks the loaders of all other formats (SVG, PDF, TIFF …), whatever a file's name.
const loaders = ["Jpeg", "Png", "Webp", "Nsgif", "Heif"].flatMap((name) => [
  `VipsForeignLoad${name}File`,
  `VipsForeignLoad${name}Buffer`,
]);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: loaders });
sharp.cache(false);

export type EncodedFile = { name: string; bytes: Buffer };

/** `widths` are those of all WebP files; `files` has the first ones and the JPEG. */
export type EncodedPicture = {
  width: number;
  height: number;
  widths: number[];
  isComplete: boolean;
  placeholder: string;
  files: EncodedFile[];
};

const isFirst = (width: number) => width <= FIRST_WIDTH;

/**
 * Re-encodes a picture upright, without metadata, in the smallest widths and as JPEG. Detects the format by content.
 * @param bytes a JPEG, PNG, WebP, GIF or AVIF file of at most 10 MiB and 50 megapixels (AVIF 16)
 * @throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
 */
export async function encodePicture(bytes: Buffer): Promise<EncodedPicture> {
  const { width, height, widths, ignoreIcc } = await measure(bytes);
  try {
    const decoded = await decode(bytes, Math.min(JPEG_WIDTH, Math.max(...widths)), ignoreIcc);
    const files = await webps(decoded, widths.filter(isFirst));
    files.push({ name: "picture.jpg", bytes: await jpeg(decoded) });
    return {
      width,
      height,
      widths,
      isComplete: widths.every(isFirst),
      placeholder: await placeholder(decoded),
      files,
    };
  } catch (error) {
    throw unsupported(error);
  }
}

/**
 * Encodes the widths of the same picture that `encodePicture` leaves out.
 * @returns all widths, and the new files
 * @throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
 */
export async function encodeWide(bytes: Buffer): Promise<{ widths: number[]; files: EncodedFile[] }> {
  const { widths, ignoreIcc } = await measure(bytes);
  try {
    const decoded = await decode(bytes, Math.max(...widths), ignoreIcc);
    return {
      widths,
      files: await webps(
        decoded,
        widths.filter((each) => !isFirst(each)),
      ),
    };
  } catch (error) {
    throw unsupported(error);
  }
}

async function webps(decoded: Decoded, widths: number[]): Promise<EncodedFile[]> {
  const files = [];
  for (const each of widths) files.push({ name: `${each}.webp`, bytes: await webp(decoded, each) });
  return files;
}

async function measure(bytes: Buffer) {
  if (bytes.length > PICTURE_BYTES) throw fileTooLarge();
  const metadata = await readHeader(bytes);
  const limit = metadata.format === "heif" ? AVIF_PIXELS : PICTURE_PIXELS;
  if (metadata.width * metadata.height > limit) throw fileTooLarge();
  const { width, height } = metadata.autoOrient;
  const widest = Math.max(1, Math.min(width, Math.floor(Math.sqrt((MAX_AREA * width) / height))));
  const ignoreIcc = metadata.icc !== undefined && !isConvertible(metadata.icc);
  return { width, height, widths: [...new Set(WIDTHS.map((each) => Math.min(each, widest)))], ignoreIcc };
}

async function readHeader(bytes: Buffer): Promise<Metadata> {
  const metadata = await readMetadata(bytes);
  // HEIC shares AVIF's container, but not its codec.
  if (metadata.format === "heif" && (metadata.compression !== "av1" || !isDecodable(bytes)))
    throw unsupported();
  if (metadata.format === "jpeg" && countScans(bytes) > JPEG_SCANS) throw unsupported();
  return metadata;
}

/** A progressive JPEG usually has ten scans, and each takes a pass over all pixels. */
const JPEG_SCANS = 40;
const START_OF_SCAN = Buffer.from([0xff, 0xda]);

/** Stops above the limit. Picture data never contains the marker, but thumbnails in the metadata may. */
function countScans(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(START_OF_SCAN); at >= 0 && count <= JPEG_SCANS; count++)
    at = bytes.indexOf(START_OF_SCAN, at + 2);
  return count;
}

async function readMetadata(bytes: Buffer): Promise<Metadata> {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch (error) {
    throw unsupported(error);
  }
}

const SECONDS = 20;

type Decoded = { data: Buffer; info: { width: number; height: number; channels: 1 | 2 | 3 | 4 } };

const open = (bytes: Buffer, ignoreIcc = false) =>
  sharp(bytes, { limitInputPixels: PICTURE_PIXELS, ignoreIcc }).timeout({ seconds: SECONDS }).autoOrient();

/** Decodes once at the largest size needed: the decoder shrinks on load if it can. */
const decode = (bytes: Buffer, width: number, ignoreIcc: boolean): Promise<Decoded> =>
  open(bytes, ignoreIcc)
    .resize({ width, height: MAX_HEIGHT, fit: "inside", withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });

const from = ({ data, info: { width, height, channels } }: Decoded) =>
  sharp(data, { raw: { width, height, channels } }).timeout({ seconds: SECONDS });

/** Effort 2 halves the CPU time of the default 4 for 4 % more bytes; most browsers load the AVIF files anyway. */
const webp = (decoded: Decoded, width: number) =>
  from(decoded)
    .resize({ width, height: MAX_HEIGHT, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 80, effort: 2 })
    .toBuffer();

/** Half the bytes of WebP for four times the work: only a job calls it (docs/decisions/016-avif-job.md). */
export const encodeAvif = (bytes: Buffer, width: number): Promise<Buffer> =>
  open(bytes).resize({ width }).avif({ quality: 48, effort: 2, chromaSubsampling: "4:2:0" }).toBuffer();

/** Without mozjpeg, which takes five times the CPU time for 10 % fewer bytes. */
const jpeg = (decoded: Decoded) =>
  from(decoded)
    .resize({ width: JPEG_WIDTH, height: MAX_HEIGHT, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .jpeg({ quality: 82, progressive: true })
    .toBuffer();

/** A picture for link previews: cropped to their shape, and enlarged if it is smaller. */
export const encodeCard = (bytes: Buffer): Promise<Buffer> =>
  open(bytes)
    .resize({ ...CARD, fit: "cover" })
    .flatten({ background: "#ffffff" })
    .jpeg({ quality: 80, mozjpeg: true })
    .toBuffer();

async function placeholder(decoded: Decoded): Promise<string> {
  const tiny = await from(decoded)
    .resize({ width: PLACEHOLDER_WIDTH, height: 4 * PLACEHOLDER_WIDTH, fit: "inside" })
    .webp({ quality: 40, alphaQuality: 0 })
    .toBuffer();
  return `data:image/webp;base64,${tiny.toString("base64")}`;
}

const unsupported = (cause?: unknown) =>
  new BlogError("UNSUPPORTED_MEDIA_TYPE", "Unsupported file format", { cause });

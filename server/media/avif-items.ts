import { AVIF_PIXELS } from "../limits.ts";

/** Coded pictures, grids of them, and metadata. The decoder composes other kinds, overlays for instance, from many pictures. */
const TYPES = ["av01", "grid", "Exif", "mime", "uri ", "tmap"];

/** Of the picture, its alpha channel, thumbnails and gain map together. A grid may show the same tile many times. */
const CODED_PIXELS = 2.5 * AVIF_PIXELS;

/** Of one item; a progressive picture has a frame for each layer. The decoder decodes all, and keeps one. */
const FRAMES = 4;
/** Parts of an item's data, such as frames and groups of tiles. */
const UNITS = 256;

/** Bytes that the decoder reads before those of the item: too few for frames. */
const CONFIGURATION = 256;

/** Boxes or items in one box, and parts of an item: far more than encoders write. */
const [ENTRIES, EXTENTS] = [10_000, 32];

type Box = { type: string; data: Buffer };

/** Whether the header of an AVIF file declares no more to decode than a picture needs. */
export function isDecodable(avif: Buffer): boolean {
  try {
    // `mini` is a shorter form of `meta`, which encoders do not write yet.
    const [meta, ...others] = boxesIn(avif, "meta", "mini");
    return meta?.type === "meta" && others.length === 0 && isOrdinary(avif, meta.data.subarray(4));
  } catch {
    return false;
  }
}

function isOrdinary(avif: Buffer, meta: Buffer): boolean {
  const types = typesOf(meta);
  if ([...types.values()].some((type) => !TYPES.includes(type))) return false;
  const coded = locationsIn(meta).filter(({ id }) => types.get(id) === "av01");
  const idats = boxesIn(meta, "idat").map(({ data }) => data);
  const data = coded.map((location) => partsOf(location, avif, idats));
  const scattered = data.filter((parts) => parts.length > 1).flat();
  if (scattered.reduce((sum, { length }) => sum + length, 0) > avif.length) return false;
  if (!data.every((parts) => hasFewFrames(join(parts)))) return false;
  if (propertiesIn(meta).some(({ type, data }) => type === "av1C" && data.length > CONFIGURATION))
    return false;
  const areas = areasOf(meta);
  const shown = new Map([...types].filter(([, type]) => type === "av01").map(([id]) => [id, 1]));
  for (const [id, tiles] of derivationsIn(meta)) {
    if (types.get(id) !== "grid") continue;
    if (tiles.some((tile) => types.get(tile) !== "av01" || !areas.has(tile))) return false;
    for (const tile of tiles) shown.set(tile, (shown.get(tile) ?? 0) + 1);
  }
  const pixels = [...shown].map(([id, times]) => times * (areas.get(id) ?? 0));
  return pixels.reduce((sum, each) => sum + each, 0) <= CODED_PIXELS;
}

/** @throws RangeError */
function boxesIn(data: Buffer, ...types: string[]): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= data.length;) {
    const type = data.toString("latin1", at + 4, at + 8);
    const size = data.readUInt32BE(at);
    const head = size === 1 ? 16 : 8;
    const length = size === 1 ? Number(data.readBigUInt64BE(at + 8)) : size || data.length - at;
    if (length < head) throw new RangeError("a box is shorter than its head");
    if (types.length === 0 || types.includes(type))
      boxes.push({ type, data: data.subarray(at + head, at + length) });
    if (boxes.length > ENTRIES) throw new RangeError("a box has too many others");
    at += length;
  }
  return boxes;
}

function typesOf(meta: Buffer): Map<number, string> {
  const types = new Map<number, string>();
  for (const { data: infos } of boxesIn(meta, "iinf"))
    for (const { data } of boxesIn(infos.subarray(infos[0] === 0 ? 6 : 8), "infe")) {
      const version = data.readUInt8(0);
      if (version < 2) continue;
      const width = version === 2 ? 2 : 4;
      const id = data.readUIntBE(4, width);
      if (types.has(id)) throw new RangeError("an item is declared twice");
      types.set(id, data.toString("latin1", 6 + width, 10 + width));
    }
  return types;
}

const propertiesIn = (meta: Buffer): Box[] =>
  boxesIn(meta, "iprp")
    .flatMap(({ data }) => boxesIn(data, "ipco"))
    .flatMap(({ data }) => boxesIn(data));

/** The largest size that each item has. The decoder refuses items whose data are larger. */
function areasOf(meta: Buffer): Map<number, number> {
  const areas = new Map<number, number>();
  const associations = boxesIn(meta, "iprp").flatMap(({ data }) => boxesIn(data, "ipma"));
  const declared = propertiesIn(meta);
  for (const { data } of associations) {
    const [idWidth, indexWidth] = [data.readUInt8(0) === 0 ? 2 : 4, data.readUInt8(3) & 1 ? 2 : 1];
    let at = 8;
    for (let left = data.readUInt32BE(4); left > 0; left--) {
      const id = data.readUIntBE(at, idWidth);
      const count = data.readUInt8(at + idWidth);
      at += idWidth + 1;
      for (const end = at + count * indexWidth; at < end; at += indexWidth) {
        const property = declared[(data.readUIntBE(at, indexWidth) & (indexWidth === 2 ? 0x7fff : 0x7f)) - 1];
        if (property?.type === "ispe") areas.set(id, Math.max(areas.get(id) ?? 0, areaOf(property.data)));
      }
    }
  }
  return areas;
}

const areaOf = (size: Buffer) => size.readUInt32BE(4) * size.readUInt32BE(8);

function derivationsIn(meta: Buffer): [number, number[]][] {
  return boxesIn(meta, "iref").flatMap(({ data: references }) => {
    const width = references.readUInt8(0) === 0 ? 2 : 4;
    return boxesIn(references.subarray(4), "dimg").map(({ data }): [number, number[]] => {
      const count = data.readUInt16BE(width);
      const ids = Array.from({ length: count }, (_, n) => data.readUIntBE(width + 2 + n * width, width));
      return [data.readUIntBE(0, width), ids];
    });
  });
}

type Location = { id: number; method: number; extents: { offset: number; length: number }[] };

function locationsIn(meta: Buffer): Location[] {
  return boxesIn(meta, "iloc").flatMap(({ data }) => {
    let at = 6;
    const take = (width: number): number => {
      at += width;
      if (width === 8) return Number(data.readBigUInt64BE(at - 8));
      return width === 0 ? 0 : data.readUIntBE(at - width, width);
    };
    const [version, sizes, moreSizes] = [data.readUInt8(0), data.readUInt8(4), data.readUInt8(5)];
    const idWidth = version < 2 ? 2 : 4;
    return Array.from({ length: atMost(ENTRIES, take(idWidth)) }, (): Location => {
      const id = take(idWidth);
      const method = version === 0 ? 0 : take(2) & 15;
      take(2);
      const base = take(moreSizes >> 4);
      const extents = Array.from({ length: atMost(EXTENTS, take(2)) }, () => {
        if (version > 0) take(moreSizes & 15);
        return { offset: base + take(sizes >> 4), length: take(sizes & 15) };
      });
      return { id, method, extents };
    });
  });
}

function atMost(limit: number, count: number): number {
  if (count > limit) throw new RangeError("a box has too many entries");
  return count;
}

function partsOf({ method, extents }: Location, avif: Buffer, idats: Buffer[]): Buffer[] {
  const source = method === 0 ? avif : idats[0];
  if (!source || method > 1 || idats.length > 1) throw new RangeError("an item is not in the file");
  return extents.map(({ offset, length }) => source.subarray(offset, length ? offset + length : undefined));
}

const join = ([first = Buffer.alloc(0), ...rest]: Buffer[]) =>
  rest.length === 0 ? first : Buffer.concat([first, ...rest]);

function hasFewFrames(data: Buffer): boolean {
  let [at, frames] = [0, 0];
  for (let unit = 0; at < data.length; unit++) {
    const head = data.readUInt8(at);
    const [type, hasExtension, hasSize] = [(head >> 3) & 15, (head & 4) !== 0, (head & 2) !== 0];
    if (type === 3 || type === 6) frames++;
    if (frames > FRAMES || unit === UNITS) return false;
    if (!hasSize) return true;
    at += hasExtension ? 2 : 1;
    let size = 0;
    for (let byte = 0x80, n = 0; byte & 0x80 && n < 8; n++) {
      byte = data.readUInt8(at++);
      size += (byte & 0x7f) * 2 ** (7 * n);
    }
    at += size;
  }
  return true;
}

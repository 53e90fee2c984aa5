import { makePicture } from "./pictures.ts";

const bytes = (width: 1 | 2 | 4, ...values: number[]) => {
  const buffer = Buffer.alloc(width * values.length);
  values.forEach((value, n) => buffer.writeUIntBE(value, n * width, width));
  return buffer;
};

function box(type: string, ...parts: (Buffer | string)[]): Buffer {
  const data = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
  return Buffer.concat([bytes(4, data.length + 8), Buffer.from(type), data]);
}

const fullBox = (type: string, version: number, ...parts: Buffer[]) =>
  box(type, bytes(1, version, 0, 0, 0), ...parts);

function boxOf(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 0, "latin1") - 4;
  return file.subarray(at, at + file.readUInt32BE(at));
}

type Shape = {
  kind: "grid" | "iovl";
  columns: number;
  rows: number;
  tile: number;
  width: number;
  height: number;
};

/** An AVIF whose picture is composed of one coded square, which it names `columns` × `rows` times. */
export async function makeComposedAvif({ kind, columns, rows, tile, width, height }: Shape): Promise<Buffer> {
  const coded = await makePicture("avif", tile, tile);
  const samples = boxOf(coded, "mdat").subarray(8);
  const size = bytes(4, width, height);
  const count = columns * rows;
  const composition =
    kind === "grid"
      ? Buffer.concat([bytes(1, 0, 1, rows - 1, columns - 1), size])
      : Buffer.concat([bytes(1, 0, 1), bytes(2, 0, 0, 0, 65_535), size, Buffer.alloc(8 * count)]);
  const fileType = box("ftyp", "avif", bytes(4, 0), "avifmif1miaf");
  const item = (id: number, type: string) =>
    fullBox("infe", 2, bytes(2, id, 0), Buffer.from(type), bytes(1, 0));
  const properties = box(
    "ipco",
    ...[fullBox("ispe", 0, size), fullBox("ispe", 0, bytes(4, tile, tile))],
    ...[boxOf(coded, "av1C"), boxOf(coded, "pixi")],
  );
  const propertiesOfItems = [bytes(2, 1), bytes(1, 2, 1, 4), bytes(2, 2), bytes(1, 3, 2, 0x83, 4)];
  const metaWith = (offset: number) => {
    const inThisBox = [bytes(2, 1, 1, 0, 1), bytes(4, 0, composition.length)];
    const inTheFile = [bytes(2, 2, 0, 0, 1), bytes(4, offset, samples.length)];
    return fullBox(
      "meta",
      0,
      fullBox("hdlr", 0, bytes(4, 0), Buffer.from("pict"), bytes(4, 0, 0, 0), bytes(1, 0)),
      fullBox("pitm", 0, bytes(2, 1)),
      fullBox("iloc", 1, bytes(1, 0x44, 0), bytes(2, 2), ...inThisBox, ...inTheFile),
      fullBox("iinf", 0, bytes(2, 2), item(1, kind), item(2, "av01")),
      fullBox("iref", 0, box("dimg", bytes(2, 1, count, ...Array<number>(count).fill(2)))),
      box("iprp", properties, fullBox("ipma", 0, bytes(4, 2), ...propertiesOfItems)),
      box("idat", composition),
    );
  };
  const offset = fileType.length + metaWith(0).length + 8;
  return Buffer.concat([fileType, metaWith(offset), box("mdat", samples)]);
}

/** An AVIF whose only item has its frame several times. */
export async function makeRepeatedAvif(times: number): Promise<Buffer> {
  const picture = await makePicture("avif", 64, 64);
  const start = picture.indexOf("mdat") + 4;
  const frame = picture.subarray(start);
  const head = Buffer.from(picture.subarray(0, start));
  head.writeUInt32BE(frame.length * times + 8, start - 8);
  head.writeUInt32BE(frame.length * times, head.lastIndexOf(bytes(4, frame.length)));
  return Buffer.concat([head, ...Array<Buffer>(times).fill(frame)]);
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { BlogError } from "../errors.ts";
import { makePicture } from "../testing/pictures.ts";
import { encodePicture, encodeWide } from "./encode.ts";

const sizeOf = async (bytes: Buffer) => {
  const { width, height, format, pages } = await sharp(bytes).metadata();
  return { width, height, format, pages };
};
/** All files: those of an upload, and those of its job. */
async function encodeAll(bytes: Buffer) {
  const picture = await encodePicture(bytes);
  const { widths, files } = await encodeWide(bytes);
  expect(widths).toEqual(picture.widths);
  expect(files.length === 0).toBe(picture.isComplete);
  return { ...picture, files: [...picture.files.slice(0, -1), ...files, ...picture.files.slice(-1)] };
}
const names = ({ files }: { files: { name: string }[] }) => files.map((file) => file.name);

async function refusalOf(bytes: Buffer): Promise<BlogError> {
  const refusal: unknown = await encodePicture(bytes).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(BlogError);
  return refusal as BlogError;
}

test("an upload waits for the smallest widths and the JPEG", async () => {
  const picture = await encodePicture(await makePicture("jpeg", 2_400, 1_600));
  expect(picture.isComplete).toBe(false);
  expect(names(picture)).toEqual(["160.webp", "480.webp", "picture.jpg"]);
});

test("a picture is encoded in several widths as WebP and once as JPEG", async () => {
  const picture = await encodeAll(await makePicture("jpeg", 2_400, 1_600));
  expect(picture).toMatchObject({ width: 2_400, height: 1_600, widths: [160, 480, 720, 960, 1_600] });
  expect(names(picture)).toEqual([
    "160.webp",
    "480.webp",
    "720.webp",
    "960.webp",
    "1600.webp",
    "picture.jpg",
  ]);
  expect(await Promise.all(picture.files.map((file) => sizeOf(file.bytes)))).toMatchObject([
    { width: 160, height: 107, format: "webp" },
    { width: 480, height: 320, format: "webp" },
    { width: 720, height: 480, format: "webp" },
    { width: 960, height: 640, format: "webp" },
    { width: 1_600, height: 1_067, format: "webp" },
    { width: 1_200, height: 800, format: "jpeg" },
  ]);
});

test.each([
  [700, 500, ["160.webp", "480.webp", "700.webp", "picture.jpg"]],
  [90, 60, ["90.webp", "picture.jpg"]],
  [1, 1, ["1.webp", "picture.jpg"]],
])("a picture of %i x %i is not enlarged", async (width, height, files) => {
  const picture = await encodeAll(await makePicture("png", width, height));
  expect(names(picture)).toEqual(files);
  expect(await sizeOf(picture.files.at(-2)!.bytes)).toMatchObject({ width, height });
  expect(await sizeOf(picture.files.at(-1)!.bytes)).toMatchObject({ width, height });
});

test("a tall picture is narrowed to at most five million pixels", async () => {
  const { width, height, files } = await encodeAll(await makePicture("jpeg", 1_600, 16_000));
  expect([width, height]).toEqual([1_600, 16_000]);
  for (const { bytes } of files) {
    const size = await sharp(bytes).metadata();
    expect(size.width * size.height).toBeLessThanOrEqual(5_000_000);
    expect(size.height / size.width).toBeCloseTo(10, 0);
  }
});

test("transparency is kept as WebP and flattened on white as JPEG", async () => {
  const background = { r: 200, g: 0, b: 0, alpha: 0 };
  const bytes = await sharp({ create: { width: 80, height: 40, channels: 4, background } })
    .png()
    .toBuffer();
  const [webp, jpeg] = (await encodeAll(bytes)).files;
  expect((await sharp(webp!.bytes).metadata()).hasAlpha).toBe(true);
  const { channels } = await sharp(jpeg!.bytes).stats();
  expect(channels.map((channel) => channel.min > 250)).toEqual([true, true, true]);
});

test("a JPEG with many scans is refused before it is decoded", async () => {
  const bytes = await makePicture("jpeg", 80, 40);
  const withScans = (count: number) =>
    Buffer.concat([bytes, Buffer.alloc(2 * count, Buffer.from([0xff, 0xda]))]);
  await encodeAll(withScans(39));
  await expect(encodeAll(withScans(40))).rejects.toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
});

test("an animation is reduced to its first frame", async () => {
  const frames = ["#ff0000", "#00ff00", "#0000ff"].map((background) =>
    sharp({ create: { width: 150, height: 100, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  const gif = await sharp(await Promise.all(frames), { join: { animated: true } })
    .gif()
    .toBuffer();
  expect((await sharp(gif).metadata()).pages).toBe(3);
  const picture = await encodeAll(gif);
  expect(picture).toMatchObject({ width: 150, height: 100, widths: [150] });
  for (const { bytes } of picture.files) {
    expect(await sizeOf(bytes)).toMatchObject({ width: 150, height: 100, pages: undefined });
    const { dominant } = await sharp(bytes).stats();
    expect(dominant.r).toBeGreaterThan(dominant.g + dominant.b);
  }
});

test.each([
  ["plain", () => makePicture("jpeg", 1_600, 1_200)],
  ["tall", () => makePicture("png", 200, 3_000)],
  ["wide", () => makePicture("png", 3_000, 200)],
  ["noisy", () => noise(1_600, 1_200)],
])("the placeholder of a %s picture is a data URI of less than a kilobyte", async (_name, make) => {
  const { placeholder } = await encodeAll(await make());
  expect(placeholder).toMatch(/^data:image\/webp;base64,[\w+/]+=*$/);
  expect(placeholder.length).toBeLessThan(1_000);
});

const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "red",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  })
    .jpeg()
    .toBuffer();

/** A decompression bomb: a PNG header with a size and almost no data. */
function pngHeader(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = [Buffer.alloc(4), Buffer.alloc(4)];
    ends[0]!.writeUInt32BE(data.length);
    ends[1]!.writeUInt32BE(crc32(body));
    return Buffer.concat([ends[0]!, body, ends[1]!]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const parts = [
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(64))),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), ...parts]);
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

describe("refused", () => {
  test.each([
    ["51 megapixels", 10_000, 5_100],
    ["a bomb", 60_000, 60_000],
  ])("by its header alone: %s", async (_name, width, height) => {
    const start = performance.now();
    expect(await refusalOf(pngHeader(width, height))).toMatchObject({
      ...{ code: "PAYLOAD_TOO_LARGE", message: "File too large" },
    });
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  test("as too large: more than ten mebibytes of any content", async () => {
    const bytes = Buffer.concat([await makePicture(), Buffer.alloc(10 * 1024 * 1024)]);
    expect(await refusalOf(bytes)).toMatchObject({ code: "PAYLOAD_TOO_LARGE", message: "File too large" });
  });

  test.each([
    ["a text", Buffer.from("not a picture")],
    ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ["a header without a picture", pngHeader(100, 100)],
  ])("as an unsupported format: %s", async (_name, bytes) => {
    expect(await refusalOf(bytes)).toMatchObject({
      ...{ code: "UNSUPPORTED_MEDIA_TYPE", message: "Unsupported file format" },
    });
  });
});

test("location, camera and other metadata are removed, and the picture is upright", async () => {
  const taken = await sharp(await makePicture("jpeg", 600, 450))
    .withExif({ IFD0: { Make: "NIKON" }, IFD3: { GPSLatitudeRef: "N", GPSLatitude: "59/1 54/1 0/1" } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>')
    .withIccProfile("p3")
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const traces = ["Exif", "NIKON", "adobe:ns:meta", "ICC_PROFILE"];
  expect(traces.filter((trace) => !taken.includes(trace))).toEqual([]);
  const picture = await encodeAll(taken);
  expect(picture).toMatchObject({ width: 450, height: 600 });
  const tiny = Buffer.from(picture.placeholder.split(",")[1] ?? "", "base64");
  for (const bytes of [...picture.files.map((file) => file.bytes), tiny]) {
    const { exif, xmp, iptc, icc, comments, orientation, width, height } = await sharp(bytes).metadata();
    expect({ exif, xmp, iptc, icc, comments, orientation }).toEqual({});
    expect(height).toBeGreaterThan(width);
    expect(traces.filter((trace) => bytes.includes(trace))).toEqual([]);
  }
});

const samples = "../shared/data/pictures";
if (!existsSync(samples))
  process.stdout.write(`${samples} is not here: the tests with real photographs are left out\n`);

describe.runIf(existsSync(samples))("a real file", () => {
  const read = (name: string) => readFileSync(join(samples, name));

  test.each(["DSCN0010.jpg", "DSCN0042.jpg"])("location and camera of %s are removed", async (name) => {
    const original = read(name);
    expect((await sharp(original).metadata()).exif?.length).toBeGreaterThan(1_000);
    expect(original.includes("NIKON")).toBe(true);
    const { files, placeholder } = await encodeAll(original);
    for (const { bytes } of [...files, { bytes: Buffer.from(placeholder.split(",")[1] ?? "", "base64") }]) {
      const { exif, xmp, iptc, icc, comments } = await sharp(bytes).metadata();
      expect({ exif, xmp, iptc, icc, comments }).toEqual({});
      for (const trace of ["Exif", "EXIF", "GPS", "NIKON", "http://ns.adobe.com"])
        expect(bytes.includes(trace)).toBe(false);
    }
  });

  test.each([
    ["portrait_6.jpg", 450, 600],
    ["landscape_8.jpg", 600, 450],
  ])("%s is upright", async (name, width, height) => {
    const { autoOrient, orientation } = await sharp(read(name)).metadata();
    expect(orientation).not.toBe(1);
    expect(autoOrient).toEqual({ width, height });
    const picture = await encodeAll(read(name));
    expect(picture).toMatchObject({ width, height });
    for (const { bytes } of picture.files) {
      const served = await sharp(bytes).metadata();
      expect(served.orientation).toBeUndefined();
      expect(served.height / served.width).toBeCloseTo(height / width, 2);
    }
    const tiny = await sizeOf(Buffer.from(picture.placeholder.split(",")[1] ?? "", "base64"));
    expect(tiny.width > tiny.height).toBe(width > height);
  });

  test("samplefilehub.heif, in AVIF's container, is refused", async () => {
    expect(await refusalOf(read("samplefilehub.heif"))).toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
  });

  test("corrupted.jpg, which is truncated, is refused", async () => {
    expect(await refusalOf(read("corrupted.jpg"))).toMatchObject({
      ...{ code: "UNSUPPORTED_MEDIA_TYPE", message: "Unsupported file format" },
    });
  });
});

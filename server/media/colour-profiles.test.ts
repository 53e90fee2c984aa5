import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { isConvertible } from "./colour-profiles.ts";
import { encodePicture } from "./encode.ts";

const words = (...values: number[]) => Buffer.concat(values.map((value) => word(value)));
function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
const typed = (type: string, ...data: Buffer[]) =>
  Buffer.concat([Buffer.from(type, "latin1"), Buffer.alloc(4), ...data]);
const XYZ = typed("XYZ ", words(0x6fa2, 0x38f5, 0x390));
const gamma = typed("para", words(0, 0x23333));

/** A profile of RGB with these tags beside those that every one has. */
function profileWith(more: Record<string, Buffer>): Buffer {
  const tags = {
    ...{ wtpt: typed("XYZ ", words(0xf6d6, 0x10000, 0xd32d)), rXYZ: XYZ, gXYZ: XYZ, bXYZ: XYZ },
    ...{ rTRC: gamma, gTRC: gamma, bTRC: gamma, desc: typed("mluc", words(0, 12)) },
    ...more,
  };
  const names = Object.keys(tags);
  let at = 132 + 12 * names.length;
  const table = Object.entries(tags).map(([name, data]) => {
    const entry = Buffer.concat([Buffer.from(name, "latin1"), words(at, data.length)]);
    at += data.length;
    return entry;
  });
  const header = Buffer.alloc(128);
  header.writeUInt32BE(at);
  header.writeUInt32BE(0x04400000, 8);
  header.write("mntrRGB XYZ ", 12, "latin1");
  header.write("acsp", 36, "latin1");
  words(0xf6d6, 0x10000, 0xd32d).copy(header, 68);
  return Buffer.concat([header, word(names.length), ...table, ...Object.values(tags)]);
}

/** Converts by `count` tables that share their bytes. */
function elements(count: number): Buffer {
  const grid = Buffer.alloc(16).fill(2, 0, 3);
  const nodes = Buffer.alloc(8 * 3 * 4);
  const table = typed("clut", Buffer.from([0, 3, 0, 3]), grid, nodes);
  const positions = Buffer.alloc(8 * count, words(16 + 8 * count, table.length));
  return typed("mpet", Buffer.from([0, 3, 0, 3]), word(count), positions, table);
}

function png(profile: Buffer): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
    return Buffer.concat([word(data.length), content, word(crc32(content))]);
  };
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", Buffer.concat([words(1, 1), Buffer.from([8, 2, 0, 0, 0])])),
    chunk("iCCP", Buffer.concat([Buffer.from("x\0\0", "latin1"), deflateSync(profile, { level: 9 })])),
    chunk("IDAT", deflateSync(Buffer.alloc(4))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

test("a kilobyte with a profile of 100 000 elements is encoded at once", async () => {
  const hostile = png(profileWith({ D2B0: elements(100_000) }));
  expect(hostile.length).toBeLessThan(2_500);
  const began = performance.now();
  expect(await encodePicture(hostile)).toMatchObject({ width: 1, height: 1 });
  expect(performance.now() - began).toBeLessThan(2_000);
}, 60_000);

describe("a picture is converted by", () => {
  test.each(["p3", "cmyk", "srgb"])("an ordinary profile: %s", async (name) => {
    const create = { width: 8, height: 8, channels: 3 as const, background: "#f04020" };
    const space = name === "cmyk" ? "cmyk" : "srgb";
    const picture = sharp({ create }).toColourspace(space).withIccProfile(name).jpeg({ quality: 100 });
    const bytes = await picture.toBuffer();
    const { icc } = await sharp(bytes).metadata();
    expect(isConvertible(icc!)).toBe(true);
    const file = (await encodePicture(bytes)).files.find((each) => each.name === "picture.jpg");
    const [red = 0, green = 0, blue = 0] = await sharp(file!.bytes).raw().toBuffer();
    expect([red > 225, Math.abs(green - 64) < 25, Math.abs(blue - 32) < 25]).toEqual([true, true, true]);
  });

  test.each([
    ["elements as another conversion", profileWith({ A2B0: elements(2) })],
    [
      "more tags than Little CMS reads",
      profileWith(Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`t${100 + n}`, XYZ]))),
    ],
    ["a table beyond its end", profileWith({}).subarray(0, 140)],
    ["more bytes than any has", Buffer.concat([profileWith({}), Buffer.alloc(4_000_000)])],
    ["nothing", Buffer.alloc(0)],
  ])("no profile with %s", (_name, profile) => expect(isConvertible(profile)).toBe(false));

  test("a curve for each colour", () => expect(isConvertible(profileWith({}))).toBe(true));
});

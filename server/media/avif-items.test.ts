import sharp from "sharp";
import { expect, test } from "vitest";
import { makeComposedAvif, makeRepeatedAvif } from "../testing/avif.ts";
import { isDecodable } from "./avif-items.ts";
import { encodePicture } from "./encode.ts";

const refusal = { code: "UNSUPPORTED_MEDIA_TYPE", message: "Unsupported file format" };
const square = { columns: 2, rows: 2, tile: 128 };

test("W3: an AVIF that overlays pictures is refused", async () => {
  const overlay = await makeComposedAvif({ ...square, kind: "iovl", width: 128, height: 128 });
  expect(await sharp(overlay).metadata()).toMatchObject({ format: "heif", compression: "av1", width: 128 });
  await expect(encodePicture(overlay)).rejects.toMatchObject(refusal);
});

test("W3: a grid whose tiles have far more pixels than the picture is refused before they are decoded", async () => {
  const tile = 2_700;
  const grid = await makeComposedAvif({ kind: "grid", columns: 3, rows: 3, tile, width: tile, height: tile });
  const began = performance.now();
  await expect(encodePicture(grid)).rejects.toMatchObject(refusal);
  expect(performance.now() - began).toBeLessThan(500);
});

test("W3: an AVIF with more frames than a picture has layers is refused", async () => {
  expect(await encodePicture(await makeRepeatedAvif(4))).toMatchObject({ width: 64, height: 64 });
  await expect(encodePicture(await makeRepeatedAvif(5))).rejects.toMatchObject(refusal);
});

test("an AVIF whose items are declared in a `mini` box, where their frames would not be counted, is refused", async () => {
  const avif = await makeRepeatedAvif(1);
  expect(isDecodable(avif)).toBe(true);
  const renamed = Buffer.from(avif);
  renamed.write("mini", renamed.indexOf("meta"));
  const mini = Buffer.from("\0\0\0\u0008mini");
  for (const other of [renamed, Buffer.concat([avif, mini]), avif.subarray(0, 16)])
    expect(isDecodable(other)).toBe(false);
});

test("an AVIF of tiles is accepted", async () => {
  const grid = await makeComposedAvif({ ...square, kind: "grid", width: 250, height: 200 });
  expect(await encodePicture(grid)).toMatchObject({ width: 250, height: 200, widths: [160, 250] });
});

test.each([{ channels: 3 }, { channels: 4 }, { channels: 4, bitdepth: 12 }] as const)(
  "an AVIF with metadata is accepted: %j",
  async ({ channels, ...options }) => {
    const background = { r: 200, g: 0, b: 0, alpha: 0.5 };
    const avif = await sharp({ create: { width: 80, height: 40, channels, background } })
      .withExif({ IFD0: { Make: "NIKON" } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
      .withIccProfile("p3")
      .avif({ effort: 0, ...options })
      .toBuffer();
    expect(await encodePicture(avif)).toMatchObject({ width: 80, height: 40 });
  },
);

test("a damaged container is no error of the server", async () => {
  const grid = await makeComposedAvif({ ...square, kind: "grid", width: 256, height: 256 });
  expect(isDecodable(grid)).toBe(true);
  const end = grid.indexOf("mdat");
  for (let at = 0; at < end; at++) {
    for (const byte of [0, 1, 0x7f, 0xff]) {
      const damaged = Buffer.from(grid);
      damaged[at] = byte;
      expect(typeof isDecodable(damaged)).toBe("boolean");
    }
    expect(typeof isDecodable(grid.subarray(0, at))).toBe("boolean");
  }
});

import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { afterFile } from "../testing/cleanup.ts";
import { makePicture } from "../testing/pictures.ts";
import { openEncoder } from "./encoder.ts";

const file = resolve("dist/server/encoder-process.js");

function encoderWith(limits: { deadline?: number; memory?: number } = {}) {
  const encoder = openEncoder({ file, ...limits });
  afterFile(encoder.close);
  return encoder;
}

const tooLarge = { code: "PAYLOAD_TOO_LARGE", message: "File too large" };

test("pictures are encoded in another process, one at a time", async () => {
  const encoder = encoderWith();
  const picture = await makePicture("jpeg", 600, 400);
  const [first, second] = await Promise.all([encoder.encodePicture(picture), encoder.encodePicture(picture)]);
  expect(first).toEqual(second);
  expect(first).toMatchObject({ width: 600, height: 400, widths: [160, 480, 600] });
  expect(Buffer.isBuffer(first.files[0]?.bytes)).toBe(true);
});

/** Resident megabytes of the process of the newest encoder. */
function residentMegabytes(): number {
  const tasks = readdirSync("/proc/self/task");
  const children = tasks.flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, "latin1").trim().split(" "),
  );
  const encoder = children.findLast(
    (pid) => pid !== "" && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("encoder-process"),
  );
  return (Number(readFileSync(`/proc/${encoder}/statm`, "latin1").split(" ")[1]) * 4_096) / 1024 ** 2;
}

test.runIf(process.platform === "linux")("memory does not grow with the number of pictures", async () => {
  const encoder = encoderWith();
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const create = { width: 1_600, height: 1_067, channels: 3 as const, background: "#777", noise };
  const picture = await sharp({ create }).jpeg({ quality: 80 }).toBuffer();
  const megabytes: number[] = [];
  for (let n = 0; n < 12; n++) {
    await encoder.encodePicture(picture);
    megabytes.push(residentMegabytes());
  }
  expect(Math.max(...megabytes)).toBeLessThan((megabytes[1] ?? 0) + 15);
});

test("errors of the process are passed on", async () => {
  await expect(encoderWith().encodePicture(Buffer.from("no picture"))).rejects.toMatchObject({
    ...{ code: "UNSUPPORTED_MEDIA_TYPE", message: "Unsupported file format" },
  });
});

test("H5: an AVIF of 17 megapixels in a kilobyte is refused by its header", async () => {
  const create = { width: 4_130, height: 4_130, channels: 3 as const, background: "#884422" };
  const bomb = await sharp({ create }).avif({ quality: 1, effort: 0 }).toBuffer();
  expect(bomb.length).toBeLessThan(20_000);
  const began = performance.now();
  await expect(encoderWith().encodePicture(bomb)).rejects.toMatchObject(tooLarge);
  expect(performance.now() - began).toBeLessThan(5_000);
}, 60_000);

test.each([
  ["time", { deadline: 5 }],
  ["memory", { memory: 1_000_000 }],
])("H5: a picture that takes too much %s ends the process and not the server", async (_name, limits) => {
  const encoder = encoderWith(limits);
  await expect(encoder.encodePicture(await makePicture("png", 3_000, 2_000))).rejects.toMatchObject(tooLarge);
  await expect(encoder.encodePicture(await makePicture("png", 3_000, 2_000))).rejects.toMatchObject(tooLarge);
});

test("the next picture is encoded after one that was too large", async () => {
  const encoder = encoderWith({ memory: 110_000_000 });
  const create = { width: 7_000, height: 7_000, channels: 4 as const, background: "#88442280" };
  const large = await sharp({ create }).png().toBuffer();
  await expect(encoder.encodePicture(large)).rejects.toMatchObject(tooLarge);
  expect(await encoder.encodePicture(await makePicture("jpeg", 200, 100))).toMatchObject({
    widths: [160, 200],
  });
}, 60_000);

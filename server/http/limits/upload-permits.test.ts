import { expect, test, vi } from "vitest";
import { UPLOADS } from "../../limits.ts";
import { withUploadPermit } from "./upload-permits.ts";

test("a file counts until its verb ends, not until it is read", async () => {
  const uploader = { account: "a", origin: "192.0.2.1" };
  const read = vi.fn(async () => "file");
  const finish: (() => void)[] = [];
  const verb = async (readForm: () => Promise<string>) => {
    const form = await readForm();
    await new Promise<void>((resolve) => finish.push(resolve));
    return form;
  };
  const uploads = Array.from({ length: UPLOADS.perAccount + 1 }, () =>
    withUploadPermit(uploader, read, verb),
  );
  await expect.poll(() => finish).toHaveLength(UPLOADS.perAccount);
  expect(read).toHaveBeenCalledTimes(UPLOADS.perAccount);
  finish[0]?.();
  await expect.poll(() => finish).toHaveLength(UPLOADS.perAccount + 1);
  finish.forEach((each) => each());
  expect(await Promise.all(uploads)).toEqual(uploads.map(() => "file"));
});

test("a verb that fails before or after it has read its file leaves no permit behind", async () => {
  const uploader = { account: "b", origin: "192.0.2.2" };
  const fail = async () => {
    throw new Error("no");
  };
  for (let n = 0; n < 2 * UPLOADS.perAccount; n++) {
    await expect(withUploadPermit(uploader, async () => "file", fail)).rejects.toThrow("no");
    await expect(withUploadPermit(uploader, fail, (readForm) => readForm())).rejects.toThrow("no");
  }
  expect(
    await withUploadPermit(
      uploader,
      async () => "file",
      (readForm) => readForm(),
    ),
  ).toBe("file");
});

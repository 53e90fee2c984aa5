import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { afterFile } from "../../testing/cleanup.ts";
import { claimCluster } from "./machine-claim.ts";

const noProgress = () => {};

async function createFolder(claim?: string) {
  const folder = await mkdtemp(join(tmpdir(), "blog-claim-"));
  afterFile(async () => rm(folder, { recursive: true }));
  const file = join(folder, "postgres.machine");
  if (claim) await writeFile(file, claim);
  return { folder, file };
}

test("processes of one machine claim a cluster at once, and the last one removes the claim", async () => {
  const { folder } = await createFolder();
  const began = performance.now();
  const [first, second] = [await claimCluster(folder, noProgress), await claimCluster(folder, noProgress)];
  expect(performance.now() - began).toBeLessThan(2_000);
  first.stop();
  second.stop();
  await second.remove();
  expect(await readdir(folder)).toEqual([]);
});

test(
  "R39B-1: a cluster that another machine uses is refused, and its claim stays",
  { timeout: 20_000 },
  async () => {
    const { folder, file } = await createFolder("another 1\n");
    const timer = setTimeout(() => void writeFile(file, "another 2\n"), 1_500);
    await expect(claimCluster(folder, noProgress)).rejects.toThrow("runs on another machine");
    clearTimeout(timer);
    expect(await readFile(file, "utf8")).toBe("another 2\n");
  },
);

test("the claim of a machine that was lost is replaced after a while", { timeout: 20_000 }, async () => {
  const { folder, file } = await createFolder("another 1\n");
  const messages: string[] = [];
  const claim = await claimCluster(folder, (message) => messages.push(message));
  claim.stop();
  expect(messages).toHaveLength(1);
  expect(await readFile(file, "utf8")).not.toContain("another");
});

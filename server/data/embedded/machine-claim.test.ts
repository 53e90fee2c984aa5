import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { afterFile } from "../../testing/cleanup.ts";
import { claimCluster } from "./machine-claim.ts";

const noProgress = () => {};
const slow = { timeout: 30_000 };

async function createFolder(claim?: string) {
  const folder = await mkdtemp(join(tmpdir(), "blog-claim-"));
  afterFile(async () => rm(folder, { recursive: true }));
  const file = join(folder, "postgres.machine");
  if (claim !== undefined) await writeFile(file, claim);
  return { folder, file };
}

test("processes of one machine claim a cluster at once, and the last one removes the claim", async () => {
  const { folder } = await createFolder();
  const began = performance.now();
  const claims = [await claimCluster(folder, noProgress), await claimCluster(folder, noProgress)] as const;
  expect(performance.now() - began).toBeLessThan(2_000);
  for (const claim of claims) await claim.stop();
  await claims[0].remove();
  expect(await readdir(folder)).toEqual([]);
});

test.concurrent(
  "R39B-1: a cluster that another machine uses is refused, and its claim stays",
  slow,
  async () => {
    const { folder, file } = await createFolder("another 1\n");
    const timer = setTimeout(() => void writeFile(file, "another 2\n"), 1_500);
    await expect(claimCluster(folder, noProgress)).rejects.toThrow("runs on another machine");
    clearTimeout(timer);
    expect(await readFile(file, "utf8")).toBe("another 2\n");
  },
);

test.concurrent.each(["another 1\n", ""])(
  "the claim %j of a machine that was lost is replaced",
  slow,
  async (lost) => {
    const { folder, file } = await createFolder(lost);
    const messages: string[] = [];
    const claim = await claimCluster(folder, (message) => messages.push(message));
    await claim.stop();
    expect(messages).toHaveLength(1);
    expect(await readFile(file, "utf8")).toContain(":");
  },
);

test.concurrent(
  "R39B-2: of two that replace a lost claim at the same time the first one is refused",
  slow,
  async () => {
    const { folder, file } = await createFolder("lost 1\n");
    const began = Date.now();
    const claimed = claimCluster(folder, noProgress);
    claimed.catch(() => undefined);
    await vi.waitUntil(async () => (await readFile(file, "utf8")) !== "lost 1\n", {
      timeout: 20_000,
      interval: 10,
    });
    await writeFile(file, "another 1\n");
    await expect(claimed).rejects.toThrow("runs on another machine");
    expect(Date.now() - began).toBeGreaterThan(10_000);
  },
);

test.concurrent(
  "R39B-2: a machine that was suspended learns that another one has the cluster",
  slow,
  async () => {
    const { folder, file } = await createFolder();
    const claim = await claimCluster(folder, noProgress);
    const onLost = vi.fn();
    claim.whenLost(onLost);
    await writeFile(file, "another 1\n");
    await vi.waitFor(() => expect(onLost).toHaveBeenCalledOnce(), { timeout: 10_000 });
    await claim.remove();
    expect(await readFile(file, "utf8")).toBe("another 1\n");
  },
);

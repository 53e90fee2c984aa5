import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import config from "../vite.config.ts";

type Prepare = {
  optionalPackages: (isRelease: boolean) => string[];
  addPackages: (names: string[], cwd: string, flags: string[]) => Promise<void>;
};
const { addPackages, optionalPackages } = (await import("./prepare.mjs" as string)) as Prepare;

test("the server is built without the packages that only some settings need", () => {
  vi.stubEnv("OTEL_TRACES_EXPORTER", "otlp");
  const names = optionalPackages(true);
  vi.unstubAllEnvs();
  expect(names).toContain("@aws-sdk/client-s3");
  expect(names).toContain("@opentelemetry/sdk-trace");
  const { build } = config({ command: "build", mode: "production", isSsrBuild: true });
  const external = build?.rolldownOptions?.external as RegExp[];
  for (const name of names)
    expect(
      external.some((pattern) => pattern.test(name)),
      name,
    ).toBe(true);
});

const hashOf = (file: Buffer) => `sha512-${createHash("sha512").update(file).digest("base64")}`;

/** The file of a package whose code exports a text. */
function pack(folder: string, text: string): Buffer {
  const made = join(folder, text);
  mkdirSync(join(made, "package"), { recursive: true });
  writeFileSync(join(made, "package/package.json"), JSON.stringify({ name: "slate", version: "1.0.0" }));
  writeFileSync(join(made, "package/index.js"), `module.exports = "${text}";`);
  return execFileSync("tar", ["-cz", "-C", made, "package"]);
}

async function startRegistry(file: () => Buffer): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url?.endsWith(".tgz")) return void response.end(file());
    const dist = { tarball: `${origin}/slate/-/slate-1.0.0.tgz`, integrity: hashOf(file()) };
    const versions = { "1.0.0": { name: "slate", version: "1.0.0", dist } };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name: "slate", "dist-tags": { latest: "1.0.0" }, versions }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return origin;
}

test("an added package is that of the lockfile: another one of a registry for the same version is removed again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "blog-packages-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [known, other] = [pack(folder, "known"), pack(folder, "other")];
  let served = known;
  const registry = await startRegistry(() => served);
  const project = { name: "project", version: "1.0.0", devDependencies: { slate: "1.0.0" } };
  const slate = { version: "1.0.0", integrity: hashOf(known), dev: true };
  const lockfile = {
    ...project,
    lockfileVersion: 3,
    requires: true,
    packages: { "": project, "node_modules/slate": slate },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(project));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lockfile));
  const add = (cache: string) =>
    addPackages(["slate"], folder, [
      "--omit=dev",
      `--registry=${registry}`,
      `--cache=${join(folder, cache)}`,
    ]);
  const installed = join(folder, "node_modules/slate/index.js");
  await add("first");
  expect(readFileSync(installed, "utf8")).toContain("known");
  rmSync(join(folder, "node_modules"), { recursive: true });
  served = other;
  await expect(add("second")).rejects.toThrow("node_modules/slate is not the package of package-lock.json");
  expect(existsSync(installed)).toBe(false);
}, 60_000);

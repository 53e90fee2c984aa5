import { expect, test, vi } from "vitest";
import config from "../vite.config.ts";

type Prepare = { optionalPackages: (isRelease: boolean) => string[] };
const { optionalPackages } = (await import("./prepare.mjs" as string)) as Prepare;

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

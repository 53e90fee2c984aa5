import { serverAudits } from "graphql-http";
import { beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";

let blog: TestApp;
let url: string;
beforeAll(async () => {
  blog = await startTestApp();
  url = `${await blog.app.listen({ port: 0, host: "127.0.0.1" })}/graphql`;
});

test("GraphQL over HTTP: every MUST and SHOULD of the audit suite holds", async () => {
  const audits = serverAudits({ url, fetchFn: fetch });
  const results = await Promise.all(audits.map((audit) => audit.fn()));
  const failures = results.flatMap((result) =>
    result.status === "ok"
      ? []
      : [`${result.status} ${result.name}: ${"reason" in result ? result.reason : ""}`],
  );
  const counted = (status: string) => failures.filter((failure) => failure.startsWith(status)).length;
  console.info(`${audits.length} audits: ${counted("error")} MUST and ${counted("warn")} SHOULD failed`);
  expect(failures.filter((failure) => /^(error|warn)/.test(failure))).toEqual([]);
});

import { serverAudits } from "graphql-http";
import { beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";

let blog: TestApp;
let url: string;
beforeAll(async () => {
  blog = await startTestApp();
  url = `${await blog.app.listen({ port: 0, host: "127.0.0.1" })}/graphql`;
});

test("GraphQL over HTTP: the audit suite passes every MUST and SHOULD", async () => {
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

test.each(["PUT", "PATCH", "DELETE"] as const)(
  "%s is refused with a GraphQL error and an Allow header, whatever its body",
  async (method) => {
    for (const type of ["application/json", "text/plain", "multipart/form-data; boundary=x"]) {
      const response = await fetch(url, { method, headers: { "content-type": type }, body: "{" });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, POST"]);
      expect(response.headers.get("cache-control")).toBe("no-store");
      const message = `send GraphQL requests by GET or POST, not by ${method}`;
      expect(await response.json()).toEqual({
        errors: [{ message, extensions: { code: "METHOD_NOT_ALLOWED" } }],
      });
    }
  },
);

import { pino } from "pino";
import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";

test("CSP violations are logged with few fields, no token, and a limit per minute and network", async () => {
  const lines: string[] = [];
  const { app } = await startTestApp({
    log: pino({ level: "warn" }, { write: (line) => void lines.push(line) }),
  });
  const report = {
    "csp-report": {
      "document-uri": "http://blog.test/reset-password/1/secret?x=1",
      "violated-directive": "script-src",
      "blocked-uri": `inline${"x".repeat(5_000)}`,
      "script-sample": "password",
    },
  };
  const send = (payload: string, remoteAddress = "192.0.2.1") =>
    app.inject({
      ...{ method: "POST", url: "/csp-reports", payload, remoteAddress },
      headers: { "content-type": "application/csp-report" },
    });
  for (let n = 0; n < 100; n++) expect((await send(JSON.stringify(report))).statusCode).toBe(204);
  expect(lines).toHaveLength(5);
  for (let n = 2; n < 100; n++) await send(JSON.stringify(report), `192.0.2.${n}`);
  expect((await send("{")).statusCode).toBe(204);
  expect((await send("x".repeat(20_000))).statusCode).toBe(413);
  expect(lines).toHaveLength(20);
  const spelled = { "csp-report": { "document-uri": `http://blog.test/%70review/${"secret-".repeat(7)}` } };
  await send(JSON.stringify(spelled), "192.0.3.1");
  expect(lines[0]).toContain('"document-uri":"http://blog.test/reset-password/…"');
  expect(lines.join("")).not.toMatch(/secret|password"|x{300}/);
});

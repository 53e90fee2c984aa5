import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";

const { app } = await startTestApp();
const { app: without } = await startTestApp({ offlineReading: false });

const stateOf = (html: string) =>
  JSON.parse(/<script id="state" type="application\/json">(.*?)<\/script>/.exec(html)?.[1] ?? "{}") as {
    site: { offline: boolean; offlineReading: boolean };
  };

test("the service worker is revalidated each time, and loads nothing from other origins", async () => {
  const { statusCode, headers, body } = await app.inject("/service-worker.js");
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toBe("text/javascript; charset=utf-8");
  expect(headers["cache-control"]).toBe("no-cache");
  expect(body).not.toMatch(/import|unregister/);
  expect(stateOf((await app.inject("/posts")).body).site).toMatchObject({
    offline: false,
    offlineReading: true,
  });
});

test("the page for addresses that were not read is not listed by search engines", async () => {
  const { statusCode, body } = await app.inject("/offline");
  expect(statusCode).toBe(200);
  expect(body).toContain("<h1>You are offline</h1>");
  expect(body).toContain('<meta name="robots" content="noindex">');
  expect(stateOf(body).site.offline).toBe(true);
});

test("switched off, pages register no worker, and one that a browser has removes itself", async () => {
  const { headers, body } = await without.inject("/service-worker.js");
  expect(headers["cache-control"]).toBe("no-cache");
  expect(body).toContain("unregister()");
  expect(stateOf((await without.inject("/posts")).body).site.offlineReading).toBe(false);
});

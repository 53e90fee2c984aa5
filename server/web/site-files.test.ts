import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";

const { app } = await startTestApp({ siteTitle: 'Ann\'s "Blog" </script>' });
const get = (url: string, headers = {}) => app.inject({ url, headers });

describe("the files that name the site", () => {
  test("robots.txt allows pages", async () => {
    const { statusCode, headers, body } = await get("/robots.txt");
    expect(statusCode).toBe(200);
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(body).toContain("User-agent: *\n");
    expect(body).not.toMatch(/^Disallow: \/$/m);
  });

  test("the manifest has the site's title and icons of the sizes that it names", async () => {
    const { headers, body } = await get("/manifest.webmanifest");
    expect(headers["content-type"]).toBe("application/manifest+json; charset=utf-8");
    const { name, icons } = JSON.parse(body) as {
      name: string;
      icons: { src: string; sizes: string; type: string }[];
    };
    expect(name).toBe('Ann\'s "Blog" </script>');
    expect(icons.length).toBeGreaterThan(2);
    for (const { src, sizes, type } of icons) {
      const icon = await get(src);
      expect(icon.statusCode, src).toBe(200);
      expect(icon.headers["content-type"], src).toBe(type);
      // Not of vector graphics, which the encoder of pictures forbids in the whole process.
      if (sizes === "any") continue;
      const { width, height } = await sharp(icon.rawPayload).metadata();
      expect(`${width}x${height}`, src).toBe(sizes);
    }
  });

  test("every file that a page's head names exists", async () => {
    const { body } = await get("/");
    const links = [...body.matchAll(/<link rel="(icon|apple-touch-icon|manifest)" href="([^"]+)"/g)];
    expect(links.map(([, rel]) => rel)).toEqual(["icon", "icon", "apple-touch-icon", "manifest"]);
    for (const [, , href = ""] of links) expect((await get(href)).statusCode, href).toBe(200);
  });

  test("the icons are drawn from the favicon and small", () => {
    for (const name of ["favicon.ico", "apple-touch-icon.png", "icon-512.png", "card.png"])
      expect(readFileSync(resolve("client/public", name)).length, name).toBeLessThan(8_000);
  });
});

test("the list of an empty blog has one page", async () => {
  for (const url of ["/posts", "/posts?page=1"]) {
    const { statusCode, body } = await get(url);
    expect(statusCode, url).toBe(200);
    expect(body).toContain("Nobody has written anything yet.");
  }
  expect((await get("/posts?page=2")).statusCode).toBe(404);
});

describe("a missing file", () => {
  test.each(["/logo.png", "/wp-login.php?x=1", "/a/b.json", "/assets/gone.js", "/Index.HTML"])(
    "%s is a short 404",
    async (path) => {
      const { statusCode, headers, body } = await get(path, { accept: "text/html" });
      expect(statusCode).toBe(404);
      expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
      expect(body).toBe("Not Found\n");
    },
  );

  test("a page is no file, although its path ends like one", async () => {
    const { statusCode, body } = await get("/posts/categories/Node.js");
    expect(statusCode).toBe(200);
    expect(body).toContain("<title>Node.js · ");
    const missing = await get("/nowhere");
    expect(missing.statusCode).toBe(404);
    expect(missing.body).toContain("Page Not Found");
  });
});

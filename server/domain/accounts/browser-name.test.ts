import { expect, test } from "vitest";
import { browserName } from "./browser-name.ts";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  ["Firefox. Your account is locked, call +1 900 123456", null],
  ["Firefox/1. Your account is locked, call +1 900 123456", "Firefox"],
  ["curl/8.5.0", null],
  [null, null],
])("%s is %s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});

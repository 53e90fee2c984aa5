import { expect, test } from "vitest";
import * as client from "../client/config/limits.ts";
import * as server from "../server/limits.ts";

test("the client's fields have the server's limits", () => {
  const largest = Object.entries(server.LENGTHS).map(([name, [, most]]) => [name, most]);
  expect(client.maxLengths).toEqual(Object.fromEntries(largest));
  expect(client.PICTURE_BYTES).toBe(server.PICTURE_BYTES);
});

import { expect, test } from "vitest";
import { originOf } from "./origin.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["203.0.113.7:51234", "203.0.113.7"],
  ["[2001:db8:1:2::1]:51234", "2001:db8:1:2::/64"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["x".repeat(20_000), "unknown"],
  ["", "unknown"],
  [undefined, "unknown"],
])("M2: limits count %s as %s", (address, origin) => {
  expect(originOf(address)).toBe(origin);
});

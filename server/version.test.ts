import { expect, test } from "vitest";
import { engines } from "../package.json";
import { adviceOnNode } from "./version.ts";

test.each(["20.20.2", "20.21.0", "22.22.2", "24.14.1", "24.15.0", "25.8.2", "26.0.0"])(
  "Node %s has the fix of CVE-2026-21717",
  (node) => expect(adviceOnNode(node)).toBeNull(),
);

test.each(["20.19.0", "20.20.1", "22.13.0", "22.22.1", "23.11.0", "24.0.0", "24.14.0", "25.8.1"])(
  "Node %s is to be updated",
  (node) => expect(adviceOnNode(node)).toContain("update it to"),
);

test("package.json names the versions with the fix", () =>
  expect(engines.node).toBe("^20.20.2 || ^22.22.2 || ^24.14.1 || >=25.8.2"));

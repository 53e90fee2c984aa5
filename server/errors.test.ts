import { expect, test } from "vitest";
import { BlogError, toBlogError } from "./errors.ts";

const prisma = (code: string, message: string) => Object.assign(new Error(message), { code });

test.each([
  Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" }),
  prisma("P1001", "Can't reach database server"),
  prisma("P2039", "Database error. Code: `57P03`. Message: `the database system is shutting down`"),
  prisma("P2039", "Database error. Code: `08006`. Message: `connection failure`"),
  prisma(
    "P2039",
    "Database error. Code: `25006`. Message: `cannot execute INSERT in a read-only transaction`",
  ),
  prisma("P2010", "Raw query failed. Code: `N/A`. Message: `Can't reach database server at 127.0.0.1:1`"),
  prisma("P2010", "Raw query failed. Code: `N/A`. Message: `Server has closed the connection.`"),
  prisma("P2010", "Raw query failed. Code: `N/A`. Message: `Operation has timed out`"),
  new Error("Client has encountered a connection error and is not queryable"),
  Object.assign(new Error("getaddrinfo EAI_AGAIN db"), { code: "EAI_AGAIN" }),
  // The password or the role of the database is being changed.
  prisma("28P01", 'password authentication failed for user "blog"'),
  prisma("28000", 'role "blog" is not permitted to log in'),
  prisma("P1000", "Authentication failed against the database server"),
  prisma("P2010", "Raw query failed. Code: `N/A`. Message: `User was denied access on the database`"),
  prisma("P2010", "Raw query failed. Code: `N/A`. Message: `Error opening a TLS connection: expired`"),
  new Error("timeout exceeded when trying to connect"),
  new Error("Connection terminated unexpectedly"),
  new Error("Query read timeout"),
  prisma("55000", 'database "blog" is not currently accepting connections'),
  new Error("outer", { cause: prisma("57P01", "terminating connection due to administrator command") }),
])("%s is an outage: 503 with a retry", (error) => {
  expect(toBlogError(error)).toMatchObject({ code: "UNAVAILABLE", retryAfter: 5 });
});

test.each([
  prisma("53100", 'could not extend file "base/1/2": No space left on device'),
  prisma("P2039", "Database error. Code: `53100`. Message: `could not extend file`"),
  prisma("XX000", "could not write init file"),
  prisma("P2010", "Raw query failed. Code: `XX000`. Message: `could not write init file`"),
])("%s is a full disk: 507", (error) => {
  const { code, message } = toBlogError(error);
  expect([code, message]).toEqual([
    "INSUFFICIENT_STORAGE",
    "there is no room left, please tell the administrator",
  ]);
});

test("other errors are masked, with the cause for the log", () => {
  const error = prisma("P2039", "Database error. Code: `23514`. Message: `secret`");
  const masked = toBlogError(error);
  expect(masked).toMatchObject({ code: "INTERNAL_SERVER_ERROR", cause: error });
  expect(masked.message).not.toContain("secret");
});

test("a BlogError passes unchanged", () => {
  const error = new BlogError("CONFLICT", "username already exist");
  expect(toBlogError(error)).toBe(error);
});

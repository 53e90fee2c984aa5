import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { deliverEmail } from "./deliver-email.ts";

test("an attempt counts whose refusal contains a NUL", async () => {
  const blog = await startTestApp();
  const { id } = await blog.db.email.create({
    data: { kind: "verify", recipient: "maya@example.com", subject: "s", text: "t", html: "h" },
  });
  await deliverEmail(blog.services, () => Promise.reject(new Error("450 a\0b")), { id });
  const given = { attempts: 1, lastError: "450 ab" };
  expect(await blog.db.email.findUnique({ where: { id } })).toMatchObject(given);
});

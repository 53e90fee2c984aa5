import { expect, test } from "vitest";
import { startTestApp } from "../../testing/app.ts";
import { createCategory, createUser } from "../../testing/factories.ts";
import { publishDueDrafts } from "./schedules.ts";

const blog = await startTestApp();
const { db, services } = blog;
await createCategory(db, "Craft");

function due(userId: string, publishAt = new Date(Date.now() - 1_000)) {
  const text = { title: "On moss", description: "It grows on the north.", category: "Craft" };
  const picture = { create: { width: 8, height: 8, widths: [8], placeholder: "" } };
  const user = { connect: { id: userId } };
  return db.draft.create({ data: { ...text, user, picture, publishAt } });
}

test("R25A: a scheduled draft waits for no more than one of each other account", async () => {
  const [many, one] = [await createUser(db), await createUser(db)];
  for (let n = 0; n < 25; n++) await due(many.id);
  const { id } = await due(one.id);
  const drafts = await services.queries.dueDrafts(services.now(), 20);
  expect(drafts).toHaveLength(20);
  expect(drafts.findIndex((draft) => draft.id === id)).toBeLessThan(2);
  expect([await publishDueDrafts(services), await publishDueDrafts(services)]).toEqual([20, 6]);
  expect(await db.post.count({ where: { userId: { in: [many.id, one.id] } } })).toBe(26);
});

test("R30B: a refused change of the password ends no schedule, however many there are", async () => {
  const [{ id, token }, other] = [await blog.signUp(), await blog.signUp()];
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1_000);
  for (let n = 0; n < 25; n++) await due(id, tomorrow);
  const change = (username: string) =>
    blog.rest("PUT", `/users/profile/${id}`, token, { username, password: "quite another secret" });
  const count = () => db.draft.count({ where: { userId: id, publishAt: tomorrow } });
  expect((await change(other.username)).status).toBe(409);
  expect(await count()).toBe(25);
  expect((await change("Somebody else")).status).toBe(200);
  expect(await count()).toBe(0);
});

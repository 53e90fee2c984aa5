import { expect, test } from "vitest";
import { startTestApp } from "../../testing/app.ts";
import { createCategory, createUser } from "../../testing/factories.ts";
import { publishDueDrafts } from "./schedules.ts";

test("R25A: a scheduled draft waits for no more than one of each other account", async () => {
  const { db, services } = await startTestApp();
  await createCategory(db, "Craft");
  const due = async (userId: string) => {
    const text = { title: "On moss", description: "It grows on the north.", category: "Craft" };
    const picture = { create: { width: 8, height: 8, widths: [8], placeholder: "" } };
    const user = { connect: { id: userId } };
    return db.draft.create({ data: { ...text, user, picture, publishAt: new Date(Date.now() - 1_000) } });
  };
  const [many, one] = [await createUser(db), await createUser(db)];
  for (let n = 0; n < 25; n++) await due(many.id);
  const { id } = await due(one.id);
  const drafts = await services.queries.dueDrafts(services.now(), 20);
  expect(drafts).toHaveLength(20);
  expect(drafts.findIndex((draft) => draft.id === id)).toBeLessThan(2);
  expect([await publishDueDrafts(services), await publishDueDrafts(services)]).toEqual([20, 6]);
  expect(await db.post.count({ where: { userId: { in: [many.id, one.id] } } })).toBe(26);
});

import { adoptStore } from "../data/picture-store-owner.ts";
import type { TestApp } from "./app.ts";

/** As the start of a blog does, with files of any age. */
export async function adoptPictures({ db, pool, files }: TestApp): Promise<void> {
  const client = await pool.connect();
  await adoptStore(client, files).finally(() => client.release());
  await db.mediaFolder.updateMany({ data: { adoptedAt: new Date(0) } });
}

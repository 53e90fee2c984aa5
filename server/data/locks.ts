import type { Locks } from "../domain/ports.ts";

/** Order, against deadlocks: keys of email addresses and names, tags, categories, admins, account, session, related posts, post, draft. A closed account has the hash none. */
export const locks: Locks = {
  shareLockAccount: (tx, id) => tx.$executeRaw`SELECT FROM "User" WHERE id = ${id}::uuid FOR KEY SHARE`,

  lockAccount: async (tx, id) =>
    (await tx.$executeRaw`
      SELECT FROM "User" WHERE id = ${id}::uuid AND "passwordHash" <> 'none' FOR NO KEY UPDATE`) === 1,

  lockAccountWithPhoto: async (tx, id) => {
    const [user] = await tx.$queryRaw<{ photoId: string | null }[]>`
      SELECT "photoId" FROM "User" WHERE id = ${id}::uuid FOR UPDATE`;
    return user ?? null;
  },

  shareLockSession: async (tx, id) =>
    (await tx.$executeRaw`SELECT FROM "Session" WHERE id = ${id}::uuid FOR KEY SHARE`) === 1,

  lockAdmins: async (tx) => {
    const admins = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM "User" WHERE "isAdmin" ORDER BY id FOR UPDATE`;
    return admins.map(({ id }) => id);
  },

  shareLockPasswordHash: async (tx, id) => {
    const [row] = await tx.$queryRaw<{ passwordHash: string }[]>`
      SELECT "passwordHash" FROM "User" WHERE id = ${id}::uuid FOR SHARE`;
    return row?.passwordHash ?? null;
  },

  lockPostWithImage: async (tx, id) => {
    const [row] = await tx.$queryRaw<{ imageId: string }[]>`
      SELECT "imageId" FROM "Post" WHERE id = ${id}::uuid FOR UPDATE`;
    return row ?? null;
  },

  lockKey: async (tx, key) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
  },
};

import type { Ctx } from "../context.ts";
import { notFound } from "../errors.ts";
import type { UserModel } from "../generated/prisma/models.ts";
import { parseId } from "./input.ts";
import type { Picture } from "./pictures.ts";

/** An account without its secrets. */
export type Profile = Omit<UserModel, "passwordHash"> & { photo: Picture | null };

const publicParts = { omit: { passwordHash: true }, include: { photo: true } } as const;

/** @throws BAD_USER_INPUT `invalid id`, NOT_FOUND */
export async function readProfile(ctx: Ctx, id: string): Promise<Profile> {
  const profile = await ctx.db.user.findUnique({ where: { id: parseId(id) }, ...publicParts });
  if (!profile) throw notFound("user");
  return profile;
}

export async function findProfiles(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Profile>> {
  const profiles = await ctx.db.user.findMany({ where: { id: { in: [...ids] } }, ...publicParts });
  return new Map(profiles.map((profile) => [profile.id, profile]));
}

/** Addresses are not published: their owner sees them, and admins. */
export const visibleEmail = (ctx: Ctx, profile: Profile): string | null =>
  ctx.viewer?.id === profile.id || ctx.viewer?.isAdmin ? profile.email : null;

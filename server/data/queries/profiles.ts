import type { RunPrepared } from "./run-prepared.ts";
import { profileJson, toProfile, type ProfileJson } from "./row-json.ts";
import type { Queries } from "../../domain/ports.ts";

export const profileQueries = (runPrepared: RunPrepared): Pick<Queries, "profiles"> => ({
  async profiles(ids) {
    const rows = await runPrepared<{ profile: ProfileJson }>(
      `SELECT ${profileJson("account", "photo")} AS profile
       FROM "User" account LEFT JOIN "Picture" photo ON photo.id = account."photoId"
       WHERE account.id = ANY($1::uuid[])`,
      [[...ids]],
    );
    return new Map(rows.map(({ profile }) => [profile.row.id, toProfile(profile)]));
  },
});

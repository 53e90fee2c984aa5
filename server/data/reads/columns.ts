import type { Picture, Profile } from "../../reads.ts";

// Rows within rows come as JSON; what JSON has no type for is brought back here.

const object = (alias: string, names: string[]) =>
  `json_build_object(${names.map((name) => `'${name}', ${alias}."${name}"`).join(", ")})`;

export const pictureJson = (alias: string) =>
  object(alias, ["id", "width", "height", "widths", "placeholder"]);

/** Of the account `user` and its photo, if any: never its password. */
export const profileJson = (user: string, photo: string) => `json_build_object(
  'row', ${object(user, ["id", "username", "usernameKey", "email", "bio", "isAdmin", "verifiedAt", "photoId", "createdAt", "updatedAt"])},
  'photo', CASE WHEN ${photo}.id IS NULL THEN NULL ELSE ${pictureJson(photo)} END)`;

export type ProfileJson = { row: Omit<Profile, "photo">; photo: Picture | null };

export const toProfile = ({ row, photo }: ProfileJson): Profile => ({
  ...row,
  verifiedAt: row.verifiedAt && new Date(row.verifiedAt),
  createdAt: new Date(row.createdAt),
  updatedAt: new Date(row.updatedAt),
  photo,
});

/** `author` and `photo` of whatever has a "userId". */
export const joinAuthor = (alias: string) => `
  JOIN "User" author ON author.id = ${alias}."userId"
  LEFT JOIN "Picture" photo ON photo.id = author."photoId"`;

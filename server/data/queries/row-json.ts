import type { Name, Picture, Profile, PostSelection } from "../../domain/post-selection.ts";

// Rows within rows come as JSON; what JSON has no type for is brought back here.

/** What each name stands for in SQL. */
export const columnsOf = (alias: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `${alias}."${name}"`]));

export const jsonObject = (fields: Record<string, string>) =>
  `json_build_object(${Object.entries(fields)
    .map(([name, sql]) => `'${name}', ${sql}`)
    .join(", ")})`;

const object = (alias: string, names: string[]) => jsonObject(columnsOf(alias, names));

export const pictureJson = (alias: string) =>
  object(alias, ["id", "width", "height", "widths", "placeholder", "avif"]);

/** Of the account `user` and its photo, if any: never its password. */
export const profileJson = (user: string, photo: string) => `json_build_object(
  'row', ${object(user, ["id", "username", "usernameKey", "email", "bio", "isAdmin", "verifiedAt", "photoId", "createdAt", "updatedAt"])},
  'photo', CASE WHEN ${photo}.id IS NULL THEN NULL ELSE ${pictureJson(photo)} END)`;

/** Who `user` is. */
const nameJson = (user: string) => object(user, ["id", "username"]);

type Much = NonNullable<PostSelection["author"]>;

export const authorJson = (much: Much) =>
  much === "name" ? nameJson("author") : profileJson("author", "photo");

export type AuthorJson = Name | ProfileJson;

export const toAuthor = (author: AuthorJson) => ("row" in author ? toProfile(author) : author);

export type ProfileJson = { row: Omit<Profile, "photo">; photo: Picture | null };

export const toProfile = ({ row, photo }: ProfileJson): Profile => ({
  ...row,
  verifiedAt: row.verifiedAt && new Date(row.verifiedAt),
  createdAt: new Date(row.createdAt),
  updatedAt: new Date(row.updatedAt),
  photo,
});

/** `author` and, for all of it, `photo` of whatever has a "userId". */
export const joinAuthor = (alias: string, much: Much | undefined) =>
  (much ? ` JOIN "User" author ON author.id = ${alias}."userId"` : "") +
  (much === "whole" ? ` LEFT JOIN "Picture" photo ON photo.id = author."photoId"` : "");

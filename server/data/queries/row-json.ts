import type { AuthorSummary, Picture, Profile, PostSelection } from "../../domain/post-selection.ts";

// Nested rows come as JSON. The `to…` functions restore the dates, which JSON lacks.

export const columnsOf = (alias: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `${alias}."${name}"`]));

export const jsonObject = (fields: Record<string, string>) =>
  `json_build_object(${Object.entries(fields)
    .map(([name, sql]) => `'${name}', ${sql}`)
    .join(", ")})`;

const object = (alias: string, names: string[]) => jsonObject(columnsOf(alias, names));

export const pictureJson = (alias: string) =>
  object(alias, ["id", "width", "height", "widths", "isComplete", "placeholder", "avif"]);

/** Must not include the password hash. */
export const profileJson = (user: string, photo: string) => `json_build_object(
  'row', ${object(user, ["id", "username", "usernameKey", "email", "bio", "isAdmin", "verifiedAt", "photoId", "createdAt", "updatedAt"])},
  'photo', CASE WHEN ${photo}.id IS NULL THEN NULL ELSE ${pictureJson(photo)} END)`;

const nameJson = (user: string) => object(user, ["id", "username"]);

type AuthorDetail = NonNullable<PostSelection["author"]>;

export const authorJson = (detail: AuthorDetail) =>
  detail === "summary" ? nameJson("author") : profileJson("author", "photo");

export type AuthorJson = AuthorSummary | ProfileJson;

export const toAuthor = (author: AuthorJson) => ("row" in author ? toProfile(author) : author);

export type ProfileJson = { row: Omit<Profile, "photo">; photo: Picture | null };

export const toProfile = ({ row, photo }: ProfileJson): Profile => ({
  ...row,
  verifiedAt: row.verifiedAt && new Date(row.verifiedAt),
  createdAt: new Date(row.createdAt),
  updatedAt: new Date(row.updatedAt),
  photo,
});

/** Joins `author` and, for more than its name, `photo`. The row of `alias` must have a "userId". */
export const joinAuthor = (alias: string, detail: AuthorDetail | undefined) =>
  (detail ? ` JOIN "User" author ON author.id = ${alias}."userId"` : "") +
  (detail && detail !== "summary" ? ` LEFT JOIN "Picture" photo ON photo.id = author."photoId"` : "");

import { randomUUID } from "node:crypto";
import { nameKey } from "../domain/input.ts";
import type { NewPicture } from "../domain/pictures.ts";
import { tagKey } from "../domain/posts/tag-names.ts";
import type { Prisma } from "../generated/prisma/client.ts";
import type { PostModel, TagModel, UserModel } from "../generated/prisma/models.ts";

type Db = Prisma.TransactionClient;

let count = 0;

type UserTraits = Partial<Omit<UserModel, "photoId">> & { photo?: NewPicture };

/** Creates a verified account. Its password is unusable unless a hash is given. */
export function createUser(db: Db, { photo, ...traits }: UserTraits = {}): Promise<UserModel> {
  const username = traits.username ?? `Person ${++count}`;
  return db.user.create({
    data: {
      username,
      usernameKey: nameKey(username),
      email: `${nameKey(username).replace(/[^a-z0-9]+/g, ".")}@example.com`,
      passwordHash: "unusable",
      verifiedAt: new Date(),
      ...traits,
      ...(photo && { photo: { create: photo } }),
    },
  });
}

export const createCategory = (db: Db, title: string, createdAt = new Date()) =>
  db.category.create({ data: { title, titleKey: nameKey(title), createdAt } });

type TagTraits = Partial<Omit<TagModel, "nameKey">> & { name: string };

/** Creates a tag of these posts. */
export const createTag = (db: Db, traits: TagTraits, postIds: readonly string[], position = 1) =>
  db.tag.create({
    data: {
      ...{ ...traits, nameKey: tagKey(traits.name) },
      posts: { create: postIds.map((postId) => ({ postId, position })) },
    },
  });

type PostTraits = Partial<Omit<PostModel, "imageId">> & { userId: string; image?: NewPicture };

/** Creates no picture files. */
export function createPost(db: Db, { userId, image, ...traits }: PostTraits): Promise<PostModel> {
  return db.post.create({
    data: {
      title: `Post ${++count}`,
      description: "A text that is long enough to be read.",
      category: "Craft",
      ...traits,
      user: { connect: { id: userId } },
      image: { create: image ?? blankPicture() },
    },
  });
}

export const blankPicture = (): NewPicture => ({
  id: randomUUID(),
  width: 3,
  height: 2,
  widths: [3],
  isComplete: true,
  placeholder: "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=",
});

export const createComment = (
  db: Db,
  comment: { postId: string; userId: string; text?: string; createdAt?: Date },
) => db.comment.create({ data: { text: "Well said.", ...comment } });

export const createLike = (db: Db, like: { postId: string; userId: string; createdAt?: Date }) =>
  db.like.create({ data: like });

import type { TestApp } from "./app.ts";
import { blankPicture, createComment, createTag } from "./factories.ts";

// Rows that operations change or read, as functions that create them.

export const newComment = (id: string) => async (blog: TestApp) => ({
  comment: (await createComment(blog.db, { postId: id, userId: id })).id,
});

export const newDraft = (userId: string) => async (blog: TestApp) => ({
  draft: (
    await blog.db.draft.create({
      data: { ...content, user: { connect: { id: userId } }, picture: { create: blankPicture() } },
    })
  ).id,
});
export const content = {
  title: "Moss",
  description: "It grows where it is left alone.",
  category: "Title 0",
};

let tags = 0;
export const newTags = (postId: string) => async (blog: TestApp) => {
  const [tag, into] = [`Of ${++tags}`, `Into ${tags}`];
  const made = [];
  for (const name of [tag, into]) made.push((await createTag(blog.db, { name }, [postId])).id);
  return { tag: made[0], into: made[1] };
};

export const newUpload = (userId: string) => async (blog: TestApp) => {
  const upload = { alt: "A wall", user: { connect: { id: userId } }, picture: { create: blankPicture() } };
  return { picture: (await blog.db.upload.create({ data: upload })).pictureId };
};

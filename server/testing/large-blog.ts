import { randomUUID } from "node:crypto";
import { startTestApp, type TestApp } from "./app.ts";
import { blankPicture } from "./factories.ts";

/** Token of the preview link of the draft with the given id. */
export const PREVIEW_TOKEN = "t".repeat(43);

export type LargeBlog = { blog: TestApp; token: string };

/**
 * A blog with `rows` posts, authors, categories, tags, emails, drafts, bookmarks and follows, and comments and likes of one post.
 * @param id of that post, of a draft, and of the admin who wrote every other post and owns the token
 */
export async function startLargeBlog(rows: number, id: string): Promise<LargeBlog> {
  const blog = await startTestApp();
  const { token } = await blog.signUp({ id, isAdmin: true });
  const numbers = [...Array(rows).keys()];
  const people = numbers.map((n) => ({ id: randomUUID(), username: `Author ${n}` }));
  await blog.db.user.createMany({
    data: people.map((person) => ({
      ...{ ...person, usernameKey: person.username.toLowerCase(), email: `${person.id}@example.com` },
      passwordHash: "unusable",
    })),
  });
  const posts = numbers.map((n) => ({ ...{ id: n === 0 ? id : randomUUID() }, picture: blankPicture() }));
  await blog.db.picture.createMany({ data: posts.map((post) => post.picture) });
  await blog.db.post.createMany({
    data: posts.map((post, n) => ({
      ...{
        id: post.id,
        imageId: post.picture.id,
        title: `Post ${n}`,
        description: "Long enough to be read.",
      },
      // One author, whose profile is read, has every other post.
      ...{ category: "Title 0", userId: n % 2 === 0 ? id : people[n]!.id },
    })),
  });
  await blog.db.draft.createMany({
    data: posts.map((post, n) => ({
      ...(n === 0 && { id }),
      title: `Draft ${n}`,
      userId: id,
      ...(n % 2 === 0 && { postId: post.id }),
    })),
  });
  await blog.db.previewLink.create({ data: { draftId: id, token: PREVIEW_TOKEN } });
  await blog.db.category.createMany({
    data: numbers.map((n) => ({ title: `Title ${n}`, titleKey: `title ${n}` })),
  });
  const tags = numbers.map((n) => ({ id: randomUUID(), name: `Tag ${n}`, nameKey: `tag ${n}` }));
  await blog.db.tag.createMany({ data: tags });
  await blog.db.postTag.createMany({
    data: posts.map((post, n) => ({ postId: post.id, tagId: tags[n]!.id, position: 1 })),
  });
  await blog.db.postTag.createMany({
    data: posts.map((post) => ({ postId: post.id, tagId: tags[0]!.id, position: 2 })),
    skipDuplicates: true,
  });
  await blog.db.email.createMany({
    data: numbers.map((n) => ({
      ...{ kind: "verify", recipient: `${n}@example.com`, subject: `Letter ${n}` },
      ...{ text: "Welcome.", html: "<p>Welcome.</p>" },
    })),
  });
  const tokens = numbers.map((n) => ({ userId: id, tokenHash: Buffer.from(`session ${n}`) }));
  await blog.db.session.createMany({ data: tokens });
  const below = people.map((person, n) => [
    { postId: id, userId: person.id },
    { postId: posts[n]!.id, userId: person.id },
  ]);
  await blog.db.comment.createMany({ data: below.flat().map((each) => ({ ...each, text: "Well said." })) });
  await blog.db.bookmark.createMany({ data: posts.map((post) => ({ userId: id, postId: post.id })) });
  const followed = [
    ...people.map((person) => ({ userId: id, profileId: person.id })),
    ...tags.map((tag) => ({ userId: id, tagId: tag.id })),
  ];
  await blog.db.follow.createMany({ data: followed });
  await blog.db.like.createMany({ data: below.flat(), skipDuplicates: true });
  return { blog, token };
}

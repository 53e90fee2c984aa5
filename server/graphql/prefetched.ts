import { isObjectType, type GraphQLSchema } from "graphql";
import type { Comment, Post } from "../domain/post-selection.ts";

/** What comes with a row where its document asks for it (wanted.ts). */
const parts = {
  Post: {
    user: (post: Post) => post.author,
    likes: (post: Post) => post.likers,
    likeCount: (post: Post) => post.likeCount,
    commentCount: (post: Post) => post.commentCount,
  },
  Comment: {
    user: (comment: Comment) => comment.author,
    username: (comment: Comment) => comment.author?.username,
  },
};

/** Answers from the row what was read along with it; the resolvers are for rows that came without. */
export function answerFromRows(schema: GraphQLSchema): GraphQLSchema {
  for (const [name, fields] of Object.entries(parts)) {
    const type = schema.getType(name);
    if (!isObjectType(type)) throw new Error(`there is no type ${name}`);
    for (const [name, read] of Object.entries(fields as Record<string, (row: unknown) => unknown>)) {
      const field = type.getFields()[name];
      const resolve = field?.resolve;
      if (!resolve) throw new Error(`${type.name}.${name} has no resolver`);
      field.resolve = (row, args, context, info) => read(row) ?? resolve(row, args, context, info);
    }
  }
  return schema;
}

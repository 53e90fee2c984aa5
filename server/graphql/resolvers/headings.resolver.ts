import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from "type-graphql";
import { headingsIn } from "../../domain/posts/headings.ts";
import type * as posts from "../../domain/posts/posts.ts";
import type { GraphQLContext } from "../context.ts";
import { memoizePerOperation } from "../memoize-per-operation.ts";
import { Post } from "../types/posts.types.ts";

@ObjectType({ simpleResolvers: true, description: "A heading in the text of a post." })
class Heading {
  @Field(() => String, { description: "The id of its element in `descriptionHtml`." })
  id!: string;

  @Field(() => String)
  text!: string;

  @Field(() => Int, { description: "2 or 3." })
  level!: number;
}

const headingsOf = memoizePerOperation(headingsIn);

@Resolver(() => Post)
export class HeadingsResolver {
  @FieldResolver(() => [Heading], {
    description: "For a table of contents; none until the text is rendered.",
  })
  async headings(@Root() post: posts.Post, @Ctx() context: GraphQLContext) {
    const html = post.html === undefined ? await context.loaders.postHtml.load(post.id) : post.html;
    return html ? headingsOf(context, post.id, html) : [];
  }
}

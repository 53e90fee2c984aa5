import type { GraphQLResolveInfo } from "graphql";
import { Arg, Ctx, ID, Info, Query, Resolver } from "type-graphql";
import { findNodeTypes, type NodeKey } from "../../domain/lists/nodes.ts";
import type { GraphQLContext } from "../context.ts";
import { batchSelectionOf } from "../selection.ts";
import { Node } from "../types/nodes.types.ts";

@Resolver()
export class NodesResolver {
  @Query(() => Node, {
    nullable: true,
    description: "A post, a comment, a category, a tag or a profile; null where the id belongs to none.",
  })
  async node(
    @Ctx() context: GraphQLContext,
    @Arg("id", () => ID, { description: "An id of any of these." }) id: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return (await readNodes(context, [id], info))[0];
  }

  @Query(() => [Node], {
    nullable: "items",
    description: "The same for up to 100 ids, in their order; null for each unknown id.",
  })
  nodes(
    @Ctx() context: GraphQLContext,
    @Arg("ids", () => [ID], { description: "Up to 100 ids of any of these." }) ids: string[],
    @Info() info: GraphQLResolveInfo,
  ) {
    return readNodes(context, ids, info);
  }
}

/** One statement for the types, and one for each type. */
async function readNodes({ ctx, loaders }: GraphQLContext, ids: string[], info: GraphQLResolveInfo) {
  const read = {
    Post: (id: string) => loaders.posts.load(id, batchSelectionOf(info)),
    Comment: (id: string) => loaders.commentsById.load(id),
    Category: (id: string) => loaders.categoriesById.load(id),
    Profile: (id: string) => loaders.profiles.load(id),
    Tag: (id: string) => loaders.tagsById.load(id),
  };
  const readOne = async (key: NodeKey | null) => {
    const row = key && (await read[key.type](key.id));
    return row ? { ...row, __typename: key.type } : null;
  };
  return Promise.all((await findNodeTypes(ctx, ids)).map(readOne));
}

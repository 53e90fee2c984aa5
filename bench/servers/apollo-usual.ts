// Apollo Server, TypeGraphQL and Prisma, combined as in their guides.
import "reflect-metadata";
import { createHash } from "node:crypto";
import { ApolloServer } from "@apollo/server";
import { startStandaloneServer } from "@apollo/server/standalone";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  Arg,
  buildSchema,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from "type-graphql";
import { PrismaClient } from "../../server/generated/prisma/client.ts";
import { poolOptions } from "../statements.ts";

const db = new PrismaClient({ adapter: new PrismaPg(poolOptions) });

@ObjectType()
class User {
  @Field(() => ID) id!: string;
  @Field(() => String) username!: string;
}

@ObjectType()
class Comment {
  @Field(() => ID) id!: string;
  @Field(() => String) text!: string;
  @Field(() => Date) createdAt!: Date;
}

@ObjectType()
class Post {
  @Field(() => ID) id!: string;
  @Field(() => String) title!: string;
  @Field(() => String) description!: string;
  @Field(() => String) category!: string;
  @Field(() => Date) createdAt!: Date;
  @Field(() => User) user!: User;
  @Field(() => [Comment]) comments!: Comment[];
}

@ObjectType()
class Liked {
  @Field(() => ID) id!: string;
  @Field(() => Boolean) viewerHasLiked!: boolean;
}

type Context = { authorization: string };
const withAll = {
  user: true,
  likes: { orderBy: [{ createdAt: "asc" as const }, { userId: "asc" as const }] },
};

@Resolver(() => Post)
class PostResolver {
  @Query(() => [Post])
  posts(@Arg("page", () => Int) page: number): Promise<unknown> {
    const orderBy = [{ createdAt: "desc" as const }, { id: "desc" as const }];
    return db.post.findMany({ orderBy, skip: (page - 1) * 3, take: 3, include: withAll });
  }

  @Query(() => Post, { nullable: true })
  post(@Arg("id", () => ID) id: string): Promise<unknown> {
    const comments = {
      include: { user: true },
      orderBy: [{ createdAt: "asc" as const }, { id: "asc" as const }],
    };
    return db.post.findUnique({ where: { id }, include: { ...withAll, comments } });
  }

  @FieldResolver(() => [ID])
  likes(@Root() post: { likes: { userId: string }[] }): string[] {
    return post.likes.map((like) => like.userId);
  }

  @Mutation(() => Liked)
  async toggleLike(@Arg("id", () => ID) id: string, @Ctx() { authorization }: Context): Promise<Liked> {
    const tokenHash = createHash("sha256").update(authorization.slice(7)).digest();
    return db.$transaction(async (tx) => {
      const { userId } = await tx.session.findUniqueOrThrow({ where: { tokenHash } });
      const { count } = await tx.like.deleteMany({ where: { postId: id, userId } });
      if (count === 0) await tx.like.create({ data: { postId: id, userId } });
      return { id, viewerHasLiked: count === 0 };
    });
  }
}

@Resolver(() => Comment)
class CommentResolver {
  @FieldResolver(() => String)
  username(@Root() comment: { user: User }): string {
    return comment.user.username;
  }
}

const schema = await buildSchema({ resolvers: [PostResolver, CommentResolver], validate: false });
const server = new ApolloServer<Context>({ schema });
await startStandaloneServer(server, {
  listen: { port: Number(process.env["PORT"]), host: "127.0.0.1" },
  context: async ({ req }) => ({ authorization: req.headers.authorization ?? "" }),
});
console.log("listening");

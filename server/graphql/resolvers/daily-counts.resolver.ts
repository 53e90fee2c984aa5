import { Arg, Ctx, Field, Int, ObjectType, Query, Resolver } from "type-graphql";
import { countByDay } from "../../domain/daily-counts.ts";
import type { GraphQLContext } from "../context.ts";

@ObjectType({ description: "How much came into being on one day." })
class DailyCount {
  @Field(() => String, { description: "As in 2026-11-21, in UTC." })
  day!: string;

  @Field(() => Int)
  users!: number;

  @Field(() => Int)
  posts!: number;

  @Field(() => Int)
  categories!: number;

  @Field(() => Int)
  comments!: number;
}

@Resolver()
export class DailyCountsResolver {
  @Query(() => [DailyCount], {
    description: "What the last days brought, today last; what has been deleted does not count. For admins.",
  })
  dailyCounts(
    @Ctx() { ctx }: GraphQLContext,
    @Arg("days", () => Int, { defaultValue: 30, description: "1 to 90." }) days: number,
  ) {
    return countByDay(ctx, { days });
  }
}

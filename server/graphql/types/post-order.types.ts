import { Field, InputType, registerEnumType } from "type-graphql";
import type { PostOrder as Order } from "../../domain/posts/posts.ts";

enum PostOrderField {
  CREATED_AT = "createdAt",
  UPDATED_AT = "updatedAt",
  TITLE = "title",
  AUTHOR = "author",
}

enum OrderDirection {
  ASC = "asc",
  DESC = "desc",
}

registerEnumType(PostOrderField, {
  name: "PostOrderField",
  description: "What posts are sorted by.",
  valuesConfig: {
    CREATED_AT: { description: "When a post was published." },
    UPDATED_AT: {
      description:
        "When its title, text, category, tags, picture or the description of the picture changed last.",
    },
    TITLE: { description: "Its title, without regard to case." },
    AUTHOR: { description: "The name of its author, without regard to case." },
  },
});

registerEnumType(OrderDirection, {
  name: "OrderDirection",
  description: "The direction of an order.",
  valuesConfig: {
    ASC: { description: "The smallest, or the earliest, first." },
    DESC: { description: "The greatest, or the latest, first." },
  },
});

@InputType({ description: "An order of posts; `after` and `before` work in each. Ids break ties." })
export class PostOrder implements Order {
  @Field(() => PostOrderField, { description: "What to sort by." })
  field!: `${PostOrderField}`;

  @Field(() => OrderDirection, { description: "In which direction." })
  direction!: `${OrderDirection}`;
}

import { ArgsType, type ClassType, Field, Int, ObjectType } from "type-graphql";
import { cursorOf, type Connection, type Row, type ConnectionArgs } from "../../domain/lists/connections.ts";
import type { ListQuery } from "../../domain/lists/lists.ts";
import { SEARCH_DESCRIPTION } from "./lengths.ts";

@ArgsType()
export class PageArgs implements ConnectionArgs {
  @Field(() => Int, { nullable: true, description: "A numbered page, from 1." })
  page?: number;

  @Field(() => Int, { nullable: true, description: "How many, 1 to 100; 3 when left out." })
  first?: number;

  @Field(() => String, { nullable: true, description: "Continue behind this cursor." })
  after?: string;

  @Field(() => Int, { nullable: true, description: "How many before a cursor or the end, 1 to 100." })
  last?: number;

  @Field(() => String, { nullable: true, description: "Continue before this cursor." })
  before?: string;
}

@ArgsType()
export class ListArgs extends PageArgs implements ListQuery {
  @Field(() => String, { nullable: true, description: SEARCH_DESCRIPTION })
  search?: string;

  @Field(() => String, {
    nullable: true,
    description: "A field to sort by, with - before it for descending.",
  })
  sort?: string;
}

@ObjectType({ simpleResolvers: true })
export class PageInfo {
  @Field(() => Boolean)
  hasNextPage!: boolean;

  @Field(() => Boolean)
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true })
  startCursor!: string | null;

  @Field(() => String, { nullable: true })
  endCursor!: string | null;
}

/** A connection type with both numbered pages and cursors. */
export function connectionOf<T extends object>(name: string, node: () => ClassType<T>) {
  @ObjectType(`${name}Edge`, { simpleResolvers: true })
  class Edge {
    @Field(() => String)
    cursor!: string;

    @Field(node)
    node!: T;
  }

  @ObjectType(`${name}Connection`)
  class ConnectionType {
    private readonly source: Connection<Row>;

    @Field(() => [node()], { simple: true })
    nodes: unknown[];

    constructor(source: Connection<Row>) {
      this.source = source;
      this.nodes = source.nodes;
    }

    @Field(() => [Edge])
    get edges(): unknown[] {
      return this.source.nodes.map((row) => ({ cursor: cursorOf(row), node: row }));
    }

    @Field(() => PageInfo)
    get pageInfo(): PageInfo {
      const { nodes, hasNextPage, hasPreviousPage } = this.source;
      const [start, end] = [nodes.at(0), nodes.at(-1)];
      return {
        hasNextPage,
        hasPreviousPage,
        startCursor: start ? cursorOf(start) : null,
        endCursor: end ? cursorOf(end) : null,
      };
    }

    @Field(() => Int, { description: "All rows of the list; counted only if selected." })
    totalCount(): Promise<number> {
      return this.source.countAll();
    }

    @Field(() => Int, { description: "How many numbered pages the list has." })
    async pages(): Promise<number> {
      return Math.ceil((await this.source.countAll()) / this.source.pageSize);
    }

    static of<R extends Row>(source: Connection<R>): ConnectionType {
      return new ConnectionType(source);
    }
  }
  return ConnectionType;
}

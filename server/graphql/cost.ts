import {
  getNamedType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { MAX_FIRST, PAGE_SIZE } from "../domain/connections.ts";

/** Plain lists are short: categories, sessions. */
const LIST_LENGTH = 10;

/** Of an argument `search`: it works through far more rows than it gives. */
const SEARCH_COST = 500;

export type Figures = { cost: number; depth: number; aliases: number; directives: number };
/** Beside what is there once: what is there for each entry of the connection that the selection belongs to. */
type Measure = Figures & { perEntry: number };
type Walk = {
  schema: GraphQLSchema;
  fragments: Map<string, FragmentDefinitionNode>;
  /** Each fragment is measured once, however often it is spread: the time stays linear. */
  measured: Map<string, Measure>;
  variables: Record<string, unknown>;
};

/**
 * What an operation may ask for, told before anything is read: a field costs one, and what lies below a list
 * costs as often as the list may be long. Fragments count wherever they are spread, and what `@skip` may
 * leave out counts as well.
 */
export function measureOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): Figures {
  const named = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = new Map(named.map((each) => [each.name.value, each]));
  const walk: Walk = { schema, variables, fragments, measured: new Map() };
  const root = schema.getRootType(operation.operation) ?? undefined;
  const { cost, depth, aliases, directives } = measureSelections(walk, operation.selectionSet, root);
  return { cost, depth, aliases, directives: directives + (operation.directives?.length ?? 0) };
}

function measureSelections(walk: Walk, { selections }: SelectionSetNode, parent?: GraphQLNamedType): Measure {
  const sum: Measure = { cost: 0, perEntry: 0, depth: 1, aliases: 0, directives: 0 };
  for (const selection of selections) {
    const part = measureSelection(walk, selection, parent);
    sum.cost += part.cost;
    sum.perEntry += part.perEntry;
    sum.depth = Math.max(sum.depth, part.depth);
    sum.aliases += part.aliases;
    sum.directives += part.directives + (selection.directives?.length ?? 0);
  }
  return sum;
}

function measureSelection(walk: Walk, selection: SelectionNode, parent?: GraphQLNamedType): Measure {
  if (selection.kind === Kind.FIELD) return measureField(walk, selection, parent);
  if (selection.kind === Kind.FRAGMENT_SPREAD) return measureFragment(walk, selection.name.value);
  const type = selection.typeCondition && walk.schema.getType(selection.typeCondition.name.value);
  return measureSelections(walk, selection.selectionSet, type ?? parent);
}

function measureFragment(walk: Walk, name: string): Measure {
  const known = walk.measured.get(name);
  if (known) return known;
  const { typeCondition, selectionSet } = walk.fragments.get(name) as FragmentDefinitionNode;
  const measure = measureSelections(walk, selectionSet, walk.schema.getType(typeCondition.name.value));
  walk.measured.set(name, measure);
  return measure;
}

function measureField(walk: Walk, field: FieldNode, parent?: GraphQLNamedType): Measure {
  const aliases = field.alias ? 1 : 0;
  if (!field.selectionSet) return { cost: 1, perEntry: 0, depth: 1, aliases, directives: 0 };
  const type = typeOf(field, parent);
  const below = measureSelections(walk, field.selectionSet, type && getNamedType(type));
  const cost = below.cost + below.perEntry * sizeOf(walk, field);
  const search = isSearch(walk, field) ? SEARCH_COST : 0;
  const isEntries = type !== undefined && isList(type) && ["nodes", "edges"].includes(field.name.value);
  return {
    ...below,
    ...(isEntries
      ? { cost: 1, perEntry: cost }
      : { cost: 1 + search + cost * (type && isList(type) ? LIST_LENGTH : 1), perEntry: 0 }),
    // The schema describes itself from memory; tools ask for it in one deep document, and validation bounds that.
    depth: isIntrospection(field, parent) ? 1 : below.depth + 1,
    aliases: below.aliases + aliases,
  };
}

const isIntrospection = (field: FieldNode, parent?: GraphQLNamedType) =>
  [field.name.value, parent?.name].some((name) => name?.startsWith("__"));

/** None for what the schema tells of itself: each of its fields costs one. */
function typeOf(field: FieldNode, parent?: GraphQLNamedType): GraphQLOutputType | undefined {
  if (!isObjectType(parent) || isIntrospection(field, parent)) return undefined;
  return parent.getFields()[field.name.value]?.type;
}

/** Whether the rows have to be found by their text. */
function isSearch({ variables }: Walk, field: FieldNode): boolean {
  const given = field.arguments?.find(({ name }) => name.value === "search")?.value;
  if (given?.kind === Kind.VARIABLE) return Boolean(variables[given.name.value]);
  return given?.kind === Kind.STRING && given.value !== "";
}

const isList = (type: GraphQLOutputType) => isListType(isNonNullType(type) ? type.ofType : type);

/** How long a connection is asked to be. */
function sizeOf({ variables }: Walk, field: FieldNode): number {
  const sizes = (field.arguments ?? [])
    .filter(({ name }) => name.value === "first" || name.value === "last")
    .map(({ value }) => {
      if (value.kind === Kind.VARIABLE) return variables[value.name.value];
      return value.kind === Kind.INT ? Number(value.value) : null;
    });
  if (sizes.length === 0) return PAGE_SIZE;
  const isSize = (size: unknown) => typeof size === "number" && size >= 1 && size <= MAX_FIRST;
  return sizes.every(isSize) ? Math.max(...(sizes as number[])) : MAX_FIRST;
}

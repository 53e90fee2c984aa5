import {
  getNamedType,
  GraphQLError,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { MAX_FIRST, PAGE_SIZE } from "../domain/connections.ts";

/** About five times our client's dearest operation (a post with fifty comments). */
export const MAX_COST = 3_000;
const MAX_DEPTH = 12;
/** Plain lists are short: categories, sessions, the ids of likes. */
const LIST_LENGTH = 10;

type Walk = {
  schema: GraphQLSchema;
  fragments: Map<string, FragmentDefinitionNode>;
  variables: Record<string, unknown>;
};

/**
 * Refuses a document that could ask too much, before anything is read: a field costs one, and what lies
 * below a list costs as often as the list may be long.
 * @throws GraphQLError BAD_USER_INPUT
 */
export function refuseDearDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): void {
  const named = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
  const walk = { schema, variables, fragments: new Map(named.map((each) => [each.name.value, each])) };
  const root = schema.getRootType(operation.operation);
  const cost = root ? costOf(walk, operation.selectionSet, root, 1, 1) : 0;
  if (cost > MAX_COST) throw refusal(`this operation asks too much at once: it costs more than ${MAX_COST}`);
}

const refusal = (message: string) =>
  new GraphQLError(message, { extensions: { code: "BAD_USER_INPUT", http: { status: 400 } } });

/** @param length how long the list is whose entries this selection belongs to */
function costOf(
  walk: Walk,
  selectionSet: SelectionSetNode,
  parent: GraphQLCompositeType,
  depth: number,
  length: number,
): number {
  if (depth > MAX_DEPTH) throw refusal(`this operation is nested more than ${MAX_DEPTH} levels deep`);
  let cost = 0;
  for (const selection of selectionSet.selections) {
    if (selection.kind === Kind.FIELD) cost += costOfField(walk, selection, parent, depth, length);
    else {
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : walk.fragments.get(selection.name.value);
      if (fragment) cost += costOf(walk, fragment.selectionSet, parent, depth, length);
    }
    // No use in counting further: the rest could be exponentially long.
    if (cost > MAX_COST) return cost;
  }
  return cost;
}

function costOfField(
  walk: Walk,
  field: FieldNode,
  parent: GraphQLCompositeType,
  depth: number,
  length: number,
) {
  const name = field.name.value;
  // The schema describes itself from memory; tools ask for it in one deep document.
  if (name.startsWith("__") || !isObjectType(parent)) return 1;
  const type = parent.getFields()[name]?.type;
  if (!type || !field.selectionSet) return 1;
  const below = getNamedType(type);
  if (!isCompositeType(below)) return 1;
  return (
    1 +
    entriesOf(field, type, length) * costOf(walk, field.selectionSet, below, depth + 1, sizeOf(walk, field))
  );
}

/** `nodes` and `edges` are as long as their connection was asked to be. */
function entriesOf(field: FieldNode, type: GraphQLOutputType, length: number): number {
  const list = isNonNullType(type) ? type.ofType : type;
  if (!isListType(list)) return 1;
  return ["nodes", "edges"].includes(field.name.value) ? length : LIST_LENGTH;
}

function sizeOf({ variables }: Walk, field: FieldNode): number {
  const argument = field.arguments?.find(({ name }) => name.value === "first" || name.value === "last");
  if (!argument) return PAGE_SIZE;
  const { value } = argument;
  const asked =
    value.kind === Kind.VARIABLE
      ? variables[value.name.value]
      : "value" in value
        ? Number(value.value)
        : null;
  return typeof asked === "number" && asked >= 1 && asked <= MAX_FIRST ? asked : MAX_FIRST;
}

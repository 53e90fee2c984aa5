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
  type ValueNode,
  valueFromASTUntyped,
} from "graphql";
import { MAX_FIRST, PAGE_SIZE } from "../../domain/lists/connections.ts";
import { MAX_TAGS, SEARCH } from "../../limits.ts";

/** Assumed length of a list that is no connection (sessions), and the shortest of one whose length is recorded. */
const LIST_LENGTH = 10;

/** Beyond this a recorded length counts no more: our client's documents must stay within the limits. */
const MAX_LENGTH = 500;

/** Lengths of the lists without a limit when they were read last, by field. */
const recordedLengths = new Map<string, number>();
let recordings = 0;

export function recordLength(field: "Query.categories", length: number): void {
  if (recordedLengths.get(field) === length) return;
  recordedLengths.set(field, length);
  recordings++;
}

/** Changes whenever a length does, on which the stats of an operation depend. */
export const countRecordings = (): number => recordings;

const declaredLengths = new Map([
  ["Post.tags", MAX_TAGS],
  ["Post.headings", 1],
  ["Query.search", SEARCH.page],
]);

/** Extra cost of arguments that make the database process many more rows than it returns. */
const argumentCosts = new Map([
  ["search", 500],
  ["sort", 100],
  ["orderBy", 100],
  ["updatedAfter", 100],
]);

/** Extra cost of a deep page of a filtered or nested list: the database reads and discards all rows before it. */
const DEEP_PAGE = { from: 25, cost: 50 };

/** Fields that search, use the connections of writes or the renderer, or read far more rows than they return. */
const fieldCosts = new Map([
  ["Query.search", 500],
  ["Query.resetLinkValid", 500],
  ["Query.previewMarkdown", 500],
  ["Query.deletions", 100],
  ["Viewer.followed", 100],
]);

const FILE = "ImageVariant";

/** Computed from the row and the viewer, or read once for the viewer. An alias costs 1, since a document could repeat it. */
const freeFields = new Set([
  ...["url", "cardUrl", "readingMinutes", "viewerCanEdit", "viewerCanDelete"],
  "viewerIsFollowing",
]);

function costOfField({ name, alias }: FieldNode, parent?: GraphQLNamedType): number {
  const isFree = !alias && (freeFields.has(name.value) || parent?.name === FILE);
  return fieldCosts.get(`${parent?.name}.${name.value}`) ?? (isFree ? 0 : 1);
}

/** Long fields of a post or draft; 1 is a full text (150 kB at most). HTML is longer, and `likes` grows without limit. */
const longTexts = new Map([
  ["likes", 1],
  ["description", 1],
  ["excerpt", 1],
  ["headings", 0.6],
  ["descriptionHtml", 4],
  ["descriptionText", 2],
]);

/** Rendered on each request. */
const DRAFT_HTML = 50;

const typesWithLongTexts = new Set(["Post", "Draft", "Revision", "SearchEdge"]);

/** Comments and bios have at most 2 000 characters, and JSON may escape each as six. */
const SHORT_TEXT = 0.05;
const shortTexts = new Set(["Comment.text", "Profile.bio", "User.bio"]);

function textsOf(field: FieldNode, parent?: GraphQLNamedType): number {
  if (parent?.name === "Draft" && field.name.value === "descriptionHtml") return DRAFT_HTML;
  if (parent && typesWithLongTexts.has(parent.name)) return longTexts.get(field.name.value) ?? 0;
  return shortTexts.has(`${parent?.name}.${field.name.value}`) ? SHORT_TEXT : 0;
}

/** Approximate lengths of the lists of introspection. */
const schemaLengths = new Map(
  Object.entries({ types: 60, directives: 6, fields: 10, args: 3, inputFields: 5, enumValues: 5 }),
);

/** A list multiplies them: weights of long fields, pictures whose files are listed, and fields of introspection. */
type Weight = { cost: number; texts: number; files: number; schema: number };
export type OperationStats = Weight & { depth: number; aliases: number; directives: number };
/** `perEntry` counts once for each entry of the connection to which the selection belongs. */
type Measure = OperationStats & { perEntry: Weight };

const plus = (a: Weight, b: Weight): Weight => ({
  cost: a.cost + b.cost,
  texts: a.texts + b.texts,
  files: a.files + b.files,
  schema: a.schema + b.schema,
});

const times = (weight: Weight, count: number): Weight => ({
  cost: weight.cost * count,
  texts: weight.texts * count,
  files: weight.files * count,
  schema: weight.schema * count,
});

const nothing: Weight = { cost: 0, texts: 0, files: 0, schema: 0 };
type Walk = {
  schema: GraphQLSchema;
  fragments: Map<string, FragmentDefinitionNode>;
  /** Memo of fragments: nested spreads would take exponential time. */
  measured: Map<string, Measure>;
  variables: Record<string, unknown>;
  defaults: Map<string, unknown>;
};

/**
 * Estimates an operation before it runs: a field costs 1, and a list multiplies the cost of its fields by its
 * longest length. Fragments count at every spread, and fields count even where `@skip` may omit them.
 */
export function measureOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): OperationStats {
  const named = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = new Map(named.map((each) => [each.name.value, each]));
  const defaults = new Map(
    operation.variableDefinitions?.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
  const walk: Walk = { schema, variables, defaults, fragments, measured: new Map() };
  const root = schema.getRootType(operation.operation) ?? undefined;
  const { perEntry: _none, ...figures } = measureSelections(walk, operation.selectionSet, root);
  return { ...figures, directives: figures.directives + (operation.directives?.length ?? 0) };
}

function measureSelections(walk: Walk, { selections }: SelectionSetNode, parent?: GraphQLNamedType): Measure {
  const sum: Measure = { ...nothing, perEntry: nothing, depth: 1, aliases: 0, directives: 0 };
  for (const selection of selections) {
    const part = measureSelection(walk, selection, parent);
    Object.assign(sum, plus(sum, part));
    sum.perEntry = plus(sum.perEntry, part.perEntry);
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
  const cached = walk.measured.get(name);
  if (cached) return cached;
  const { typeCondition, selectionSet } = walk.fragments.get(name) as FragmentDefinitionNode;
  const measure = measureSelections(walk, selectionSet, walk.schema.getType(typeCondition.name.value));
  // A spread costs 1 at least: free fields in nested fragments are collected once for each path to them.
  measure.cost = Math.max(1, measure.cost);
  walk.measured.set(name, measure);
  return measure;
}

function measureField(walk: Walk, field: FieldNode, parent?: GraphQLNamedType): Measure {
  const aliases = field.alias ? 1 : 0;
  const own = {
    cost: costOfField(field, parent),
    texts: textsOf(field, parent),
    files: 0,
    schema: isOfSchema(field, parent) ? 1 : 0,
  };
  if (!field.selectionSet) return { ...own, perEntry: nothing, depth: 1, aliases, directives: 0 };
  const type = typeOf(walk, field, parent);
  const entry = type && getNamedType(type);
  if (entry?.name === FILE) own.files = 1;
  const below = measureSelections(walk, field.selectionSet, entry);
  const figures = { ...below, aliases: below.aliases + aliases, depth: below.depth + 1 };
  if (isOfSchema(field, parent)) {
    // Introspection reads no database, so lists do not multiply its cost; nor does its depth count, as tools nest deep.
    const schema = below.schema * (schemaLengths.get(field.name.value) ?? 1);
    return { ...figures, ...plus({ ...below, schema }, own), depth: 1 };
  }
  const weight = plus(below, times(below.perEntry, sizeOf(walk, field, parent)));
  // An entry costs 1 at least, also with free fields only.
  if (entry?.name !== FILE) weight.cost = Math.max(1, weight.cost);
  // A comment is always read with its text.
  if (entry?.name === "Comment") weight.texts = Math.max(SHORT_TEXT, weight.texts);
  const isOfConnection = parent?.name !== "Query" && ["nodes", "edges"].includes(field.name.value);
  if (type && isList(type) && isOfConnection) return { ...figures, ...own, perEntry: weight };
  const extra = { ...nothing, cost: costOfArguments(walk, field, parent) };
  const whole = plus(
    plus(own, extra),
    times(weight, type && isList(type) ? lengthOf(walk, field, parent) : 1),
  );
  return { ...figures, ...whole, perEntry: nothing };
}

const isOfSchema = (field: FieldNode, parent?: GraphQLNamedType) =>
  ["__schema", "__type"].includes(field.name.value) || parent?.name.startsWith("__") === true;

function typeOf(walk: Walk, field: FieldNode, parent?: GraphQLNamedType): GraphQLOutputType | undefined {
  if (field.name.value === "__schema") return introspectionType(walk, "__Schema");
  if (field.name.value === "__type") return introspectionType(walk, "__Type");
  return isObjectType(parent) ? parent.getFields()[field.name.value]?.type : undefined;
}

const introspectionType = ({ schema }: Walk, name: string) => schema.getType(name) as GraphQLOutputType;

/** Reads no other argument: plans.ts caches the stats of an operation unless a variable was read. */
const costOfArguments = (walk: Walk, field: FieldNode, parent?: GraphQLNamedType): number =>
  (field.arguments ?? []).reduce(
    (sum, { name, value }) => {
      const cost = argumentCosts.get(name.value);
      return sum + (cost !== undefined && valueOf(walk, value) ? cost : 0);
    },
    costOfPage(walk, field, parent),
  );

function costOfPage(walk: Walk, field: FieldNode, parent?: GraphQLNamedType): number {
  const argument = (name: string) => field.arguments?.find((each) => each.name.value === name);
  const page = argument("page");
  const isNarrowed = parent?.name !== "Query" || ["category", "author", "tag"].some(argument);
  return page && isNarrowed && Number(valueOf(walk, page.value)) > DEEP_PAGE.from ? DEEP_PAGE.cost : 0;
}

function valueOf({ variables, defaults }: Walk, value: ValueNode): unknown {
  if (value.kind !== Kind.VARIABLE) return valueFromASTUntyped(value);
  // As GraphQL reads it: a property of every object, such as `constructor`, is not given.
  const name = value.name.value;
  return Object.hasOwn(variables, name) ? variables[name] : defaults.get(name);
}

/** The length of a list other than a connection: of its page, or the number of its ids. */
function lengthOf(walk: Walk, field: FieldNode, parent?: GraphQLNamedType): number {
  const name = `${parent?.name}.${field.name.value}`;
  const declared = declaredLengths.get(name);
  if (declared !== undefined) return declared;
  if (isPaged(walk, field)) return sizeOf(walk, field, parent);
  const recorded = recordedLengths.get(name);
  if (recorded !== undefined) return Math.min(MAX_LENGTH, Math.max(LIST_LENGTH, recorded));
  const ids = field.arguments?.find(({ name }) => name.value === "ids");
  const value = ids && valueOf(walk, ids.value);
  return ids ? (Array.isArray(value) ? value.length : 1) : LIST_LENGTH;
}

const isPaged = (walk: Walk, field: FieldNode): boolean =>
  (field.arguments ?? []).some(
    ({ name, value }) => ["first", "page"].includes(name.value) && valueOf(walk, value) != null,
  );

const isList = (type: GraphQLOutputType) => isListType(isNonNullType(type) ? type.ofType : type);

function sizeOf(walk: Walk, field: FieldNode, parent?: GraphQLNamedType): number {
  const sizes = (field.arguments ?? [])
    .filter(({ name }) => name.value === "first" || name.value === "last")
    .map(({ value }) => valueOf(walk, value));
  if (sizes.length === 0) return declaredLengths.get(`${parent?.name}.${field.name.value}`) ?? PAGE_SIZE;
  const isSize = (size: unknown) => typeof size === "number" && size >= 1 && size <= MAX_FIRST;
  return sizes.every(isSize) ? Math.max(...(sizes as number[])) : MAX_FIRST;
}

import { Kind, visit, type DocumentNode, type FieldNode, type SelectionSetNode } from "graphql";

/** Fields after expanding all fragments; each compiles to about 7 kB of code. */
const MAX_FIELDS = 250;

/** graphql-jit copies string literals into source code, and replaces markers in them by code. */
const PLAIN_TEXT = /^[\w .,:-]{0,100}$/;
const MARKER = /__/;

/**
 * Whether graphql-jit may compile a document. The document is untrusted, so the rule is an allow-list;
 * graphql-js executes the others. Refused are
 * - string literals with anything but plain characters: `"__MAGIC_DATE__…"` would run as code,
 * - directives: graphql-jit evaluates `@skip` in a fragment once for all its spreads,
 * - response names with `_`, apart from `__typename`: paths are joined by `_`, and `__proto__` sets a prototype,
 * - documents that expand to more than MAX_FIELDS fields.
 */
export function isCompilable(document: DocumentNode): boolean {
  let isAllowed = true;
  const refuse = () => void (isAllowed = false);
  visit(document, {
    StringValue: ({ value }) => (PLAIN_TEXT.test(value) && !MARKER.test(value) ? undefined : refuse()),
    Directive: refuse,
    Field: (field) => (isPlainName(field) ? undefined : refuse()),
  });
  return isAllowed && countFields(document) <= MAX_FIELDS;
}

const isPlainName = ({ alias, name }: FieldNode): boolean =>
  alias ? !alias.value.includes("_") : name.value === "__typename" || !name.value.includes("_");

/** The memo of fragments keeps the time linear. */
function countFields(document: DocumentNode): number {
  const fragments = new Map(
    document.definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each.selectionSet] as const] : [],
    ),
  );
  const counted = new Map<string, number>();
  const ofFragment = (name: string): number => {
    const cached = counted.get(name);
    if (cached !== undefined) return cached;
    const selectionSet = fragments.get(name);
    const count = selectionSet ? ofSelections(selectionSet) : 0;
    counted.set(name, count);
    return count;
  };
  const ofSelections = ({ selections }: SelectionSetNode): number =>
    selections.reduce((sum, selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return sum + ofFragment(selection.name.value);
      const own = selection.kind === Kind.FIELD ? 1 : 0;
      return sum + own + (selection.selectionSet ? ofSelections(selection.selectionSet) : 0);
    }, 0);
  return document.definitions.reduce(
    (sum, each) => sum + (each.kind === Kind.OPERATION_DEFINITION ? ofSelections(each.selectionSet) : 0),
    0,
  );
}

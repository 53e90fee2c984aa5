import { Kind, visit, type DocumentNode, type FieldNode, type SelectionSetNode } from "graphql";

/** Fields that a plan may expand to, with fragments counted wherever they are spread; code for one takes about 7 kB. */
const MAX_FIELDS = 250;

/** Of string literals: graphql-jit writes them into source code and replaces markers in them by code. */
const PLAIN_TEXT = /^[\w .,:-]{0,100}$/;
const MARKER = /__/;

/**
 * Whether graphql-jit may turn a document into code. It is written by whoever sends it, so the rule is an
 * allow-list; everything else is executed by graphql-js. Refused are
 * - string literals with anything but plain characters: `"__MAGIC_DATE__…"` would run as code,
 * - directives: `@skip` in a fragment is evaluated once for all places where it is spread,
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

/** Each fragment is counted once, however often it is spread: the time stays linear. */
function countFields(document: DocumentNode): number {
  const fragments = new Map(
    document.definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each.selectionSet] as const] : [],
    ),
  );
  const counted = new Map<string, number>();
  const ofFragment = (name: string): number => {
    const known = counted.get(name);
    if (known !== undefined) return known;
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

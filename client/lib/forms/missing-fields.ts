/** Those of the named fields that are blank, in the order of the form; blanks around a value do not count. */
export function missingFields<Name extends string>(values: FormData, messages: Record<Name, string>): Name[] {
  const names = Object.keys(messages) as Name[];
  return names.filter((name) => isBlank(values.get(name)));
}

const isBlank = (value: FormDataEntryValue | null) =>
  value === null || (typeof value === "string" ? value.trim() === "" : value.size === 0);

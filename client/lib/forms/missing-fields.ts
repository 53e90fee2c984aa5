/** Returns the names of blank fields, in the order of the form; whitespace counts as blank. */
export function missingFields<Name extends string>(values: FormData, messages: Record<Name, string>): Name[] {
  const names = Object.keys(messages) as Name[];
  return names.filter((name) => isBlank(values.get(name)));
}

const isBlank = (value: FormDataEntryValue | null) =>
  value === null || (typeof value === "string" ? value.trim() === "" : value.size === 0);

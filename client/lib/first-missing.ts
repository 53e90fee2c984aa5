/** The first of these fields that is blank; blanks around a value do not count. */
export function firstMissing<Name extends string>(
  values: FormData,
  messages: Record<Name, string>,
): Name | null {
  const names = Object.keys(messages) as Name[];
  return names.find((name) => isBlank(values.get(name))) ?? null;
}

const isBlank = (value: FormDataEntryValue | null) =>
  value === null || (typeof value === "string" ? value.trim() === "" : value.size === 0);

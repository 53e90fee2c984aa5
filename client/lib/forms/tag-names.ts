export const tagNamesIn = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);

export const textOfTags = (names: readonly string[]): string => names.join(", ");

/** Adds names to a `Vary` value, each once: another plugin may have set some already. */
export function addVary(present: unknown, ...names: string[]): string {
  const all = [...String(present ?? "").split(","), ...names].map((name) => name.trim()).filter(Boolean);
  const seen = new Map(all.map((name) => [name.toLowerCase(), name]));
  return [...seen.values()].join(", ");
}

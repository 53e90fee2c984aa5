/** The names of `Vary` with others added, each once: another part of the server may have named some already. */
export function addVary(present: unknown, ...names: string[]): string {
  const all = [...String(present ?? "").split(","), ...names].map((name) => name.trim()).filter(Boolean);
  const seen = new Map(all.map((name) => [name.toLowerCase(), name]));
  return [...seen.values()].join(", ");
}

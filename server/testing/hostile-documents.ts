export const times = (count: number, write: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => write(n));

export function fragmentBomb(levels = 30): string {
  const fragments = times(levels, (n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`);
  return `{ ...f0 } ${fragments.join(" ")} fragment f${levels} on Query { __typename }`;
}

/** @returns a document with 2^levels paths to a field that costs nothing */
export function freeFieldBomb(levels: number): string {
  const fragments = times(levels, (n) => `fragment f${n} on Post { ...f${n + 1} ...f${n + 1} }`);
  return `{ posts(first: 1) { nodes { ...f0 } } } ${fragments.join(" ")} fragment f${levels} on Post { url }`;
}

export function nestedFragments(): string {
  const fragments = times(4, (n) => `fragment f${n} on Post { user { posts { nodes { ...f${n + 1} } } } }`);
  return `{ post(id: "x") { ...f0 } } ${fragments.join(" ")} fragment f4 on Post { user { posts { nodes { id } } } }`;
}

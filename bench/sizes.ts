/** Posts of the blogs that `-- growth` and `-- search` compare. */
export const SIZES = (process.env["SIZES"] ?? "10000,100000,1000000").split(",").map(Number);

const post = (operation: object): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(operation),
});

/**
 * @param call a GraphQL operation, or the path of a page
 * @returns the milliseconds of sequential requests in ascending order, without ten to warm up
 * @throws for an error or an empty list
 */
export async function timesOf(origin: string, call: object | string, count: number): Promise<number[]> {
  const [path, init] = typeof call === "string" ? [call, {}] : ["/graphql", post(call)];
  const times: number[] = [];
  for (let n = 0; n < count + 10; n++) {
    const began = performance.now();
    const response = await fetch(origin + path, init);
    const text = await response.text();
    if (!response.ok || /"errors"|"totalCount":0\b/.test(text))
      throw new Error(`${JSON.stringify(call)}: ${response.status}: ${text.slice(0, 300)}`);
    if (n >= 10) times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b);
}

export const at = (times: number[], share: number): number => times[Math.floor(times.length * share)] ?? NaN;

const api = `${process.env["BLOG_URL"] ?? "http://localhost:4000"}/api`;

type Problem = { message: string; code: string; fields?: Record<string, string> };

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${api}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.ok) return (await response.json()) as T;
  const { code, message } = (await response.json()) as Problem;
  // The code is for programs, the message for people.
  if (code === "RATE_LIMITED") console.log(`wait ${response.headers.get("retry-after")} s`);
  throw new Error(`${code}: ${message}`);
}

console.log(`${await call<number>("GET", "/posts/count")} posts`);
try {
  await call("POST", "/comments", { text: "Well said.", postId: "none" });
} catch (error) {
  console.log((error as Error).message);
}

export {};

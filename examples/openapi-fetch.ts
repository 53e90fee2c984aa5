import createClient from "openapi-fetch";

// `npx openapi-typescript $BLOG_URL/api/openapi.json -o blog.ts` writes the types of all paths. This is what it writes of one.
type Post = { _id: string; title: string; likes: string[] };
type Problem = { message: string; code: string };
type Paths = {
  "/posts": {
    get: {
      parameters: { query?: { pageNumber?: number; category?: string } };
      responses: {
        200: { headers: Record<string, string>; content: { "application/json": Post[] } };
        400: { headers: Record<string, string>; content: { "application/json": Problem } };
      };
    };
  };
};

const baseUrl = `${process.env["BLOG_URL"] ?? "http://localhost:4000"}/api`;
const client = createClient<Paths>({ baseUrl });

const { data, error, response } = await client.GET("/posts", { params: { query: { pageNumber: 1 } } });
if (error) throw new Error(error.message);
console.log(`${data.length} of ${response.headers.get("x-total-count")} posts`);
for (const { title, likes } of data) console.log(`${title}: ${likes.length} likes`);

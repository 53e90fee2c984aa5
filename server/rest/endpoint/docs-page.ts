import { PICTURE_BYTES, PICTURE_PIXELS } from "../../limits.ts";

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** e2e/api-docs.test.ts runs the examples; ORIGIN is the blog's URL. */
const CURL = `# The newest posts, three a page
curl 'ORIGIN/api/posts?pageNumber=1'

# Sign in: the response has the token
curl ORIGIN/api/auth/login -H 'content-type: application/json' \\
  -d '{"email":"you@example.com","password":"your password"}'

# Like a post, or take the like back
curl -X PUT ORIGIN/api/posts/like/POST_ID -H "authorization: Bearer $TOKEN"`;

const FETCH = `const response = await fetch("ORIGIN/api/posts?pageNumber=1");
const posts = await response.json();
console.log(posts[0].title, "of", response.headers.get("x-total-count"));`;

const TYPESCRIPT = `type Problem = { message: string; code: string; fields?: Record<string, string> };
type Post = { _id: string; title: string; likes: string[] };

async function call<T>(method: string, path: string, token = "", body?: object): Promise<T> {
  const headers = { "content-type": "application/json", authorization: \`Bearer \${token}\` };
  const response = await fetch(\`ORIGIN/api\${path}\`, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(((await response.json()) as Problem).message);
  return (await response.json()) as T;
}

const login = { email: "you@example.com", password: "your password" };
const { token } = await call<{ token: string }>("POST", "/auth/login", "", login);
const [post] = await call<Post[]>("GET", "/posts?pageNumber=1");
if (post) await call("PUT", \`/posts/like/\${post._id}\`, token, {});`;

const examples = { curl: CURL, fetch: FETCH, TypeScript: TYPESCRIPT };

const exampleOf = ([name, text]: [string, string], origin: string) =>
  `<h3>${name}</h3>
<pre tabindex="0" data-example="${name}">${escaped(text.replaceAll("ORIGIN", origin))}</pre>`;

const limits: [what: string, most: string][] = [
  ["a body of JSON", "100 kB; 400 kB for <code>PUT /api/posts/{id}</code> and forms, with an account"],
  ["a picture", `${PICTURE_BYTES / 1024 ** 2} MiB, ${PICTURE_PIXELS / 1e6} megapixels (AVIF 16)`],
  ["title, text of a post; comment; bio", "200, 50,000; 2,000; 1,000 characters"],
  ["posts, comments, likes of an account", "30, 300, 600 in ten minutes, unless the blog sets others"],
  ["wrong passwords", "10 an hour for an account from one IP address"],
];

const preloadOf = (font: string) =>
  `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin="anonymous">`;

/** @param origin the blog's public URL, without a path @param font the URL of the text face */
export const docsPage = (origin: string, font: string | undefined) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>The REST API</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/docs.css">
${font ? preloadOf(font) : ""}
<script src="docs/theme.js"></script>
</head>
<body>
<header class="docs-header">
<a class="wordmark" href="/">BLOG</a>
<nav aria-label="Documentation">
<a href="#quick-start">Quick start</a>
<a href="#docs">Operations</a>
<a href="openapi.json">OpenAPI</a>
<a href="/graphql">GraphQL</a>
</nav>
</header>
<main>
<div class="docs-guide">
<h1>The REST API</h1>
<p>Everything the site does, as JSON over HTTP. GraphQL offers the same at <a href="/graphql">/graphql</a>.</p>
<h2 id="quick-start">Quick start</h2>
<p>Reading needs no account. For the rest sign in, and send the token with every request as
<code>Authorization: Bearer …</code>.</p>
${Object.entries(examples)
  .map((example) => exampleOf(example, escaped(origin)))
  .join("\n")}
<h2>Paging</h2>
<p><code>GET /api/posts?pageNumber=2</code> returns three posts, newest first, with <code>Link</code> to the first, previous, next
and last page. <code>limit</code> and <code>after</code> read any long list page by page; without them it comes whole, as a stream. <code>X-Total-Count</code> is the number of all.</p>
<h2>Errors</h2>
<p>An error is JSON with a <code>message</code> for people, a <code>code</code> for programs and, where a form has invalid
fields, a message for each in <code>fields</code>. Strings are trimmed, except passwords; unknown keys are refused.</p>
<h2>Limits</h2>
<table>
${limits.map(([what, most]) => `<tr><th scope="row">${what}</th><td>${most}</td></tr>`).join("\n")}
</table>
<p>Beyond a number of attempts the response is <code>429</code>, and <code>Retry-After</code> says how many seconds to wait.</p>
<h2>Operations</h2>
</div>
<div id="docs"></div>
</main>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlOf } from "./curl.ts";

/** The arguments that a shell passes to curl. */
const argumentsOf = (command: string) =>
  execFileSync("sh", ["-c", command.replace(/^curl/, "printf '%s\\n'")], { env: { TOKEN: "t0ken" } })
    .toString()
    .trim()
    .split("\n");

const options = { url: "http://localhost:4000/graphql", hasToken: false, fileName: "picture.jpg" };

test("a query becomes a command whose body a shell passes unchanged", () => {
  const query = `query ($q: String) { posts(search: $q) { nodes { id } } } # it's "quoted" $HOME`;
  const args = argumentsOf(curlOf({ query, variables: '{"q":"it\'s"}' }, options));
  expect(args.slice(0, 2)).toEqual([options.url, "-H"]);
  expect(JSON.parse(args.at(-1) ?? "")).toEqual({ query, variables: { q: "it's" } });
});

test("the token is the shell's, and never in the command", () => {
  const command = curlOf({ query: "{ viewer { id } }", variables: "" }, { ...options, hasToken: true });
  expect(argumentsOf(command)).toContain("authorization: Bearer t0ken");
});

test("an operation with an Upload variable becomes a form", () => {
  const query = "mutation ($image: Upload!) { uploadProfilePhoto(image: $image) { id } }";
  expect(argumentsOf(curlOf({ query, variables: "" }, options))).toEqual([
    options.url,
    ...["-H", "apollo-require-preflight: 1"],
    ...["--form-string", `operations=${JSON.stringify({ query, variables: { image: null } })}`],
    ...["--form-string", 'map={"0":["variables.image"]}'],
    ...["-F", "0=@picture.jpg"],
  ]);
});

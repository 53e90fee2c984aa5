import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { encodeForm, type FormPart } from "../../testing/forms.ts";
import { makePicture } from "../../testing/pictures.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp();
});

const UPLOAD = "mutation ($image: Upload!) { uploadProfilePhoto(image: $image) { id } }";

type Form = {
  query?: string;
  variables?: unknown;
  map?: string;
  file?: Buffer | null;
  type?: string;
  partType?: string;
};

async function send(
  { query = UPLOAD, variables = { image: null }, map, file, type = "multipart/form-data", partType }: Form,
  token: string | null,
) {
  const parts: FormPart[] = [
    { name: "operations", value: JSON.stringify({ query, variables }), ...(partType && { type: partType }) },
    { name: "map", value: map ?? '{"0":["variables.image"]}', ...(partType && { type: partType }) },
    ...(file === null ? [] : [{ name: "0", value: file ?? Buffer.from("x"), filename: "a.jpg" }]),
  ];
  const { payload, headers } = encodeForm(parts);
  return blog.send("POST", "/graphql", token, payload, {
    "content-type": (headers["content-type"] ?? "").replace("multipart/form-data", type),
    "apollo-require-preflight": "1",
  });
}

const prototypesOf = () =>
  [Object, Array, String, Number, Boolean, Function].map(({ prototype }) =>
    Object.getOwnPropertyNames(prototype).map((name) => {
      const { value, get } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
      return [name, typeof value, typeof get];
    }),
  );

const paths = [
  ...["query.__proto__.split", "query.constructor.prototype.split", "variables.n.__proto__.x"],
  ...["variables.n.constructor.prototype.toFixed", "variables.b.__proto__.valueOf", "__proto__.polluted"],
  ...["constructor.prototype.polluted", "variables.__proto__.polluted", "variables.list.__proto__.at"],
  ...["variables.list.length", "variables.image.__proto__.x", "variables", "query", "", ".", "variables."],
  ...["variables.n", "variables.missing", "variables..image", "extensions.x", "variables.list.0.__proto__.x"],
];

describe("C1: a path in `map`", () => {
  test.each(paths)("%j is refused and changes no prototype", async (path) => {
    const before = prototypesOf();
    const variables = { n: 1, b: true, list: [1], image: null };
    for (const token of [null, maya.token]) {
      const { status, body } = await send({ variables, map: JSON.stringify({ 0: [path] }) }, token);
      expect([200, 400]).toContain(status);
      expect(body.errors[0].extensions.code).toBe(token ? "BAD_USER_INPUT" : "UNAUTHENTICATED");
    }
    expect(prototypesOf()).toEqual(before);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect((await blog.gql("{ postsCount }")).body).toEqual({ data: { postsCount: 0 } });
  });

  test("may index into a list", async () => {
    const query = "mutation ($images: [Upload!]!) { logout { message } }";
    const form = { query, variables: { images: [null] }, map: '{"0":["variables.images.0"]}' };
    const { body } = await send(form, (await blog.signUp()).token);
    expect(body.errors[0].message).not.toMatch(/`map`/);
  });
});

describe("a GraphQL form", () => {
  test("of a visitor is refused before it is read, even if it is malformed", async () => {
    const { status, body } = await send({ map: "not JSON" }, null);
    expect([status, body]).toEqual([
      200,
      {
        errors: [{ message: "no token provided, access denied", extensions: { code: "UNAUTHENTICATED" } }],
        data: null,
      },
    ]);
  });

  test("with the token of an ended session reports that", async () => {
    const { body } = await send({}, "stale");
    expect(body.extensions).toEqual({ session: "ended" });
  });

  test.each([
    ["without a picture", { file: null, map: "{}", variables: {} }, "BAD_USER_INPUT"],
    ["whose file is missing", { file: null }, "BAD_USER_INPUT"],
    ["with a map that is a list", { map: "[]" }, "BAD_USER_INPUT"],
    ["with a map that is not JSON", { map: "{" }, "BAD_USER_INPUT"],
    [
      "with a map of two files",
      { map: '{"0":["variables.image"],"1":["variables.image"]}' },
      "BAD_USER_INPUT",
    ],
    ["with two paths for its file", { map: '{"0":["variables.image","variables.b"]}' }, "BAD_USER_INPUT"],
    ["with a file that is not a picture", {}, "UNSUPPORTED_MEDIA_TYPE"],
  ] as const)("%s is refused with a code", async (_name, form, code) => {
    const { body } = await send(form, maya.token);
    expect(body.errors[0].extensions.code).toBe(code);
  });

  test("may declare its parts as JSON, which has the same limits", async () => {
    const partType = "application/json";
    const { body } = await send({ partType, file: await makePicture() }, maya.token);
    expect(body.data.uploadProfilePhoto.id).toBe(maya.id);
    const { body: refused } = await send({ partType, map: "[".repeat(6_000) }, maya.token);
    expect(refused.errors[0].message).toBe('"map" has too many values');
    await blog.db.picture.deleteMany();
  });

  test("H5: performs one upload, whatever the number of aliases that use its file", async () => {
    const fields = Array.from(
      { length: 50 },
      (_, index) => `a${index}: uploadProfilePhoto(image: $image) { id }`,
    );
    const query = `mutation ($image: Upload!) { ${fields.join(" ")} }`;
    const { body } = await send({ query, file: await makePicture() }, maya.token);
    expect(body.errors.length).toBeGreaterThan(0);
    expect(body.errors[0].message).toMatch(/one upload a request/);
    expect(await blog.db.picture.count()).toBe(1);
  });
});

test.each(["multipart/form-data", "Multipart/Form-Data"])(
  "an expensive operation with a file is refused before the file is read, as %s",
  async (type) => {
    const query = UPLOAD.replace(
      "{ id }",
      "{ profile { posts(first: 100) { nodes { user { posts(first: 30) { nodes { id } } } } } } }",
    );
    const { status, body } = await send({ query, type }, maya.token);
    expect([status, body.errors[0].extensions.code]).toEqual([400, "BAD_USER_INPUT"]);
    expect(body.errors[0].message).toMatch(/^an operation with a file may cost 1500/);
  },
);

import { beforeAll, expect } from "vitest";
import { PASSWORD } from "../../testing/app.ts";
import { unknownId } from "../../testing/contract-shapes.ts";
import { startContractTest, testContractRows } from "../../testing/contract-rows.ts";
import { createCategory, createPost } from "../../testing/factories.ts";

// Titles are the contract's own rows, verbatim.

type Walk = Awaited<ReturnType<typeof startContractTest>>;
let walk: Walk;
let maya: Awaited<ReturnType<Walk["blog"]["signUp"]>>;
let post: { id: string };
beforeAll(async () => {
  walk = await startContractTest();
  maya = await walk.blog.signUp({ username: "Maya", email: "maya@example.com" });
  await createCategory(walk.blog.db, "Craft");
  post = await createPost(walk.blog.db, { userId: maya.id });
});

const own = (sent: object) => ({ token: maya.token, ...sent });
const put = () => `PUT /posts/${post.id}`;

testContractRows(
  {
    'JSON in, JSON out, also on 4xx, 404 of an unknown path, 413: every failure is {"message": "<non-empty string>"}':
      async () => {
        const { refused } = walk;
        await refused("GET /nothing", {}, 404);
        await refused("PATCH /posts", { json: {} }, 405);
        await refused(put(), own({ json: { description: "x".repeat(400 * 1024) } }), 413);
        await refused(put(), own({ text: "{", headers: { "content-type": "application/json" } }), 400);
        await refused(put(), own({ text: "a=b", headers: { "content-type": "text/plain" } }), 415);
      },

    "CORS headers on every answer, preflights included; any origin may call; X-XSRF-TOKEN is accepted and ignored":
      async () => {
        const headers = { origin: "https://elsewhere.test", "access-control-request-method": "PUT" };
        const response = await fetch(`${walk.address}/api/posts/like/12`, { method: "OPTIONS", headers });
        expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
        expect(response.headers.get("access-control-allow-credentials")).toBeNull();
        const allowed = response.headers.get("access-control-allow-headers");
        for (const name of ["Authorization", "Content-Type", "X-XSRF-TOKEN", "Apollo-Require-Preflight"])
          expect(allowed).toContain(name);
        await walk.done("GET /posts/count", { headers: { "x-xsrf-token": "a", "xsrf-token": "b" } }, 200, 1);
      },

    "401 `no token provided, access denied` · 401 `invalid token, access denied` (`Bearer undefined` is a bad token)":
      async () => {
        await walk.refused("PUT /posts/like/12-34", {}, 401, "no token provided, access denied");
        await walk.refused(
          "PUT /posts/like/12-34",
          { token: "undefined" },
          401,
          "invalid token, access denied",
        );
        const former = await walk.blog.signUp();
        await walk.blog.db.user.delete({ where: { id: former.id } });
        await walk.refused("POST /comments", { token: former.token }, 401, "invalid token, access denied");
      },

    "`_id` is a string, equal to GraphQL's `id`; well formed is any 8-4-4-4-12 hexadecimal UUID, the nil UUID included (then 404)":
      async () => {
        const [first] = (await walk.ask("GET /posts")).body;
        const { body } = await walk.blog.gql("{ posts(page: 1) { nodes { id user { id } } } }");
        expect([{ id: first._id, user: { id: first.user._id } }]).toEqual(body.data.posts.nodes);
        for (const id of [unknownId, "ffffffff-ffff-ffff-ffff-ffffffffffff", unknownId.replace("0", "A")])
          await walk.refused(`GET /posts/${id}`, {}, 404, "post not found");
        for (const id of [
          "12",
          "undefined",
          unknownId.slice(1),
          `${unknownId}0`,
          unknownId.replaceAll("-", ""),
        ])
          await walk.refused(`GET /posts/${id}`, {}, 400, "invalid id");
        expect((await walk.ask(`GET /posts/${post.id.toUpperCase()}`)).body._id).toBe(post.id);
      },

    "Every string but a password is trimmed, e-mail addresses compared without case": async () => {
      const login = (email: string, password = PASSWORD) => ({ json: { email, password } });
      expect((await walk.ask("POST /auth/login", login(" MAYA@example.com "))).body._id).toBe(maya.id);
      await walk.refused(
        "POST /auth/login",
        login(maya.email, ` ${PASSWORD}`),
        400,
        "invalid email or password",
      );
    },

    "Image URLs are absolute and may be embedded from another origin": async () => {
      const { body } = await walk.ask(`GET /posts/${post.id}`);
      for (const url of [body.image.url, body.user.profilePhoto.url])
        expect(url).toMatch(/^http:\/\/blog\.test\//);
      const photo = await fetch(walk.address + new URL(body.user.profilePhoto.url).pathname);
      expect([photo.status, photo.headers.get("cross-origin-resource-policy")]).toEqual([
        200,
        "cross-origin",
      ]);
    },

    "PUT may carry {}, no body at all, or JSON null. Dates are ISO strings. Counts are a bare JSON number":
      async () => {
        for (const sent of [
          {},
          { json: {} },
          { json: null },
          { text: "", headers: { "content-type": "application/json" } },
        ]) {
          const { status, body } = await walk.ask(put(), own(sent));
          expect([status, new Date(body.createdAt).toISOString()]).toEqual([200, body.createdAt]);
        }
        await walk.done("GET /posts/count", {}, 200, 1);
      },

    "Order of checks: token 401 -> role 403 -> id format 400 -> existence 404 -> ownership 403 -> body or upload":
      async () => {
        const { refused } = walk;
        const broken = { text: "{", headers: { "content-type": "application/json" } };
        const stranger = await walk.blog.signUp();
        await refused("PUT /posts/12-34", broken, 401);
        await refused("DELETE /categories/12-34", own(broken), 403, "not allowed, only admin");
        await refused("PUT /posts/12-34", own(broken), 400, "invalid id");
        await refused(`PUT /posts/${unknownId}`, own(broken), 404, "post not found");
        await refused(put(), { token: stranger.token, ...broken }, 403, "access denied, you are not allowed");
        await refused(put(), own(broken), 400, "the body is not valid JSON");
      },

    "A stale or bad token on a public read is a visitor's read: 200": async () => {
      for (const path of [
        "/posts",
        "/posts/count",
        "/categories",
        `/posts/${post.id}`,
        `/users/profile/${maya.id}`,
      ])
        expect((await walk.ask(`GET ${path}`, { token: "stale" })).status).toBe(200);
    },

    "A parameter given twice (?category=a&category=b) is 400": () =>
      walk.refused("GET /posts?category=a&category=b", {}, 400, '"category" is given more than once'),

    'Unknown keys in a body are refused with 400 and never written: `"isAdmin" is not allowed`': async () => {
      const route = `PUT /users/profile/${maya.id}`;
      await walk.refused(route, own({ json: { isAdmin: true } }), 400, '"isAdmin" is not allowed');
      expect(await walk.blog.db.user.findUnique({ where: { id: maya.id } })).toMatchObject({
        isAdmin: false,
      });
    },

    "Validation messages follow the pattern; one message (the first), all of them in `fields`": async () => {
      const { body } = await walk.ask("POST /auth/register", {
        json: { username: "", email: "a@example.com" },
      });
      const message = '"username" is not allowed to be empty';
      const fields = { username: message, password: '"password" is required' };
      expect(body).toEqual({ message, code: "BAD_USER_INPUT", fields });
    },

    "NUL characters and lone surrogates are bad input (400), never a 500": async () => {
      for (const title of ["a\\u0000b", "half \\ud83e"]) {
        const sent = own({ text: `{"title":"${title}"}`, headers: { "content-type": "application/json" } });
        await walk.refused(put(), sent, 400, '"title" contains invalid characters');
      }
      await walk.refused("GET /posts?category=%00", {}, 400);
      await walk.refused("GET /posts/%00", {}, 400, "invalid id");
    },
  },
  () => walk.counted(),
);

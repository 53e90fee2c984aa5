import { beforeAll } from "vitest";
import { linkTo } from "../../testing/accounts.ts";
import { PASSWORD } from "../../testing/app.ts";
import { startContractTest, testContractRows } from "../../testing/contract-rows.ts";
import { unknownId, userKeys } from "../../testing/contract-shapes.ts";

// Titles are the contract's own rows, verbatim and in its order.

let walk: Awaited<ReturnType<typeof startContractTest>>;
beforeAll(async () => {
  walk = await startContractTest();
});

const SENT = { message: "We sent to you an email, please verify your email address" };
const maya = { username: "Maya", email: "maya@example.com", password: PASSWORD };
const login = (password = PASSWORD) => ({ json: { email: maya.email, password } });

testContractRows(
  {
    "POST /auth/register | 201 {message} | username 2..100, email 5..100 valid, password 8..128; 409 `username already exist`; a taken email: the same 201":
      async () => {
        const { done, refused } = walk;
        const route = "POST /auth/register";
        const without = (json: object) => ({ json: { ...maya, ...json } });
        await refused(route, {}, 400, '"username" is required');
        await refused(
          route,
          without({ username: "M" }),
          400,
          '"username" length must be at least 2 characters long',
        );
        await refused(route, without({ username: "M".repeat(101) }), 400, /^"username" length must be less/);
        await refused(route, without({ email: "no address" }), 400, '"email" must be a valid email');
        await refused(
          route,
          without({ email: "a@b" }),
          400,
          '"email" length must be at least 5 characters long',
        );
        await refused(
          route,
          without({ password: "short" }),
          400,
          '"password" length must be at least 8 characters long',
        );
        await refused(route, without({ password: "x".repeat(129) }), 400, /^"password" length/);
        await refused(route, without({ password: " ".repeat(9) }), 400, /^"password"/);
        await refused(route, without({ password: "password123" }), 400, /^"password" is too common/);
        await refused(route, without({ password: "maya@example.com" }), 400, /^"password" must not be/);
        await refused(route, without({ isAdmin: true }), 400, '"isAdmin" is not allowed');
        await done(route, without({ username: " Maya ", email: " Maya@Example.com " }), 201, SENT);
        await refused(
          route,
          without({ username: "mAYA", email: "other@example.com" }),
          409,
          "username already exist",
        );
        await done(route, without({ username: "Another" }), 201, SENT);
      },

    "POST /auth/login | 200 UserSession | 400 `invalid email or password` alike; right password but unverified: 400":
      async () => {
        const { done, refused, blog } = walk;
        await refused("POST /auth/login", login("not this one"), 400, "invalid email or password");
        const unknown = { json: { email: "nobody@example.com", password: PASSWORD } };
        await refused("POST /auth/login", unknown, 400, "invalid email or password");
        await refused("POST /auth/login", login(), 400, SENT.message);
        await blog.db.user.update({ where: { email: maya.email }, data: { verifiedAt: new Date() } });
        const session = await done(
          "POST /auth/login",
          login(),
          200,
          "_id id username email isAdmin profilePhoto token",
        );
        await done(`GET /users/profile/${session._id}`, {}, 200, `${userKeys} posts`);
        await blog.db.user.update({ where: { email: maya.email }, data: { verifiedAt: null } });
      },

    "GET /auth/{userId}/verify/{token} | 200 `Your account verified`, the same until it expires | 400 `invalid link`":
      async () => {
        const { done, refused, blog } = walk;
        const { api, userId, token } = await linkTo(blog, maya.email, "verify");
        await refused(`GET /auth/${userId}/verify/wrong`, {}, 400, "invalid link");
        await refused(`GET /auth/undefined/verify/${token}`, {}, 400, "invalid link");
        await refused(`GET /auth/${unknownId}/verify/${token}`, {}, 400, "invalid link");
        for (let time = 0; time < 2; time++)
          await done(`GET ${api}`, {}, 200, { message: "Your account verified" });
      },

    "POST /password/reset-password-link | 200 for known and unknown addresses alike | 400 for a malformed address":
      async () => {
        const { done, refused } = walk;
        const message = "Password reset link sent to your email, Please check your inbox";
        for (const email of [maya.email, "nobody@example.com"])
          await done("POST /password/reset-password-link", { json: { email } }, 200, { message });
        await refused("POST /password/reset-password-link", { json: { email: "none" } }, 400, /^"email"/);
        await refused("POST /password/reset-password-link", { json: {} }, 400, '"email" is required');
      },

    "GET /password/reset-password/{userId}/{token} | 200 `Valid url` | 400 `invalid link`": async () => {
      const { done, refused, blog } = walk;
      const { api, userId } = await linkTo(blog, maya.email, "reset");
      await done(`GET ${api}`, {}, 200, { message: "Valid url" });
      await refused(`GET /password/reset-password/${userId}/wrong`, {}, 400, "invalid link");
      await refused(`GET /password/reset-password/12-34/wrong`, {}, 400, "invalid link");
    },

    "POST /password/reset-password/{userId}/{token} {password} | 200 | single use; a refused weak password does not consume it; ends every session":
      async () => {
        const { done, refused, blog } = walk;
        const { api } = await linkTo(blog, maya.email, "reset");
        const { token } = await done(
          "POST /auth/login",
          login(),
          200,
          "_id id username email isAdmin profilePhoto token",
        );
        await refused(
          `POST ${api}`,
          { json: { password: "short" } },
          400,
          '"password" length must be at least 8 characters long',
        );
        await refused(`POST ${api}`, {}, 400, '"password" is required');
        const sent = { json: { password: "another long secret" } };
        await done(`POST ${api}`, sent, 200, { message: "Password reset successfully, please log in" });
        await refused(`POST ${api}`, sent, 400, "invalid link");
        await refused("POST /comments", { token, json: {} }, 401, "invalid token, access denied");
        await refused("POST /auth/login", login(), 400, "invalid email or password");
      },
  },
  () => walk.counted(),
);

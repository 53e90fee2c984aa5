import { expect } from "vitest";
import { call, makeAccount } from "../testing/people.ts";
import { pictureForm } from "../testing/stage.ts";
import { section } from "./row.ts";

const text = expect.any(String);

export const profileCalls = section(7, [
  [
    "| GET /api/users/profile/{id} | none | profile |",
    "visitor",
    async ({ author: { _id, username } }) => {
      expect((await call("GET", `/users/profile/${_id}`)).body).toMatchObject({ _id, username });
    },
  ],
  [
    "| PUT /api/users/profile/{id} (auth) | {username,bio,password?} | profile |",
    "newcomer",
    async ({ me: { _id, token, username } }) => {
      const body = { username: `${username} II`, bio: "Walks along rivers." };
      const response = await call("PUT", `/users/profile/${_id}`, { token, body });
      expect(response).toMatchObject({ status: 200, body: { _id, ...body } });
      const withPassword = { ...body, password: "eight green herons" };
      expect((await call("PUT", `/users/profile/${_id}`, { token, body: withPassword })).status).toBe(200);
    },
  ],
  [
    "| DELETE /api/users/profile/{id} (auth) | none | {message} |",
    "newcomer",
    async ({ me: { _id, token } }) => {
      const response = await call("DELETE", `/users/profile/${_id}`, { token });
      expect(response).toEqual({ status: 200, body: { message: text } });
      expect((await call("GET", `/users/profile/${_id}`)).status).toBe(404);
    },
  ],
  [
    "| POST /api/users/profile/profile-photo-upload (auth) | multipart {image} | {profilePhoto,message} |",
    "newcomer",
    async ({ me: { token } }) => {
      const form = await pictureForm();
      const { body } = await call("POST", "/users/profile/profile-photo-upload", { token, form });
      expect(body).toMatchObject({ message: text, profilePhoto: { url: text } });
      expect((await fetch(body.profilePhoto.url)).status).toBe(200);
    },
  ],
  [
    "| GET /api/users/profile (auth) | none | all users |",
    "admin",
    async ({ me: { token }, author }) => {
      const { body } = await call("GET", "/users/profile", { token });
      expect(body.map((each: any) => each._id)).toContain(author._id);
      expect(body).toHaveLength((await call("GET", "/users/count", { token })).body);
    },
  ],
  [
    "| GET /api/users/count (auth) | none | count |",
    "admin",
    async ({ me: { token } }) => {
      const before = (await call("GET", "/users/count", { token })).body;
      await makeAccount();
      expect((await call("GET", "/users/count", { token })).body).toBe(before + 1);
    },
  ],
]);

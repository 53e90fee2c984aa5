import type { ParityCall } from "./parity.ts";
import { makePicture } from "./pictures.ts";

const picture = await makePicture();

export const register = (fields: object): ParityCall => ({
  graphql: {
    query: "mutation ($input: RegisterInput!) { register(input: $input) { message } }",
    variables: { input: fields },
  },
  rest: { method: "POST", path: "/auth/register", body: fields },
});

export const verifyEmail = (userId: string, token: string): ParityCall => ({
  graphql: {
    query:
      "mutation ($userId: ID!, $token: String!) { verifyEmail(userId: $userId, token: $token) { message } }",
    variables: { userId, token },
  },
  rest: { method: "GET", path: `/auth/${userId}/verify/${token}` },
});

export const requestPasswordReset = (email: string): ParityCall => ({
  graphql: {
    query: "mutation ($email: String!) { requestPasswordReset(email: $email) { message } }",
    variables: { email },
  },
  rest: { method: "POST", path: "/password/reset-password-link", body: { email } },
});

export const checkResetLink = (userId: string, token: string): ParityCall => ({
  graphql: {
    query: "query ($userId: ID!, $token: String!) { resetLinkValid(userId: $userId, token: $token) }",
    variables: { userId, token },
  },
  rest: { method: "GET", path: `/password/reset-password/${userId}/${token}` },
});

export const resetPassword = (userId: string, token: string, password: string): ParityCall => ({
  graphql: {
    query: `mutation ($userId: ID!, $token: String!, $password: String!) {
      resetPassword(userId: $userId, token: $token, password: $password) { message } }`,
    variables: { userId, token, password },
  },
  rest: { method: "POST", path: `/password/reset-password/${userId}/${token}`, body: { password } },
});

const post = "{ _id: id id title description category image { url } user { id } likes createdAt updatedAt }";
const profile = `{ _id: id id username bio email createdAt profilePhoto { url }
  posts(first: 100) { nodes ${post} } }`;

/** Converts GraphQL's profile to REST's shape: a list for a connection, an author's id for the author. */
export const asProfile = ({ posts, ...rest }: any) => ({
  ...rest,
  posts: posts.nodes.map(({ user, ...each }: any) => ({ ...each, user: user.id })),
});

export const readProfile = (id: string): ParityCall => ({
  graphql: { query: `query ($id: ID!) { profile(id: $id) ${profile} }`, variables: { id } },
  rest: { method: "GET", path: `/users/profile/${id}` },
});

export const updateProfile = (id: string, changes: object = {}): ParityCall => ({
  graphql: {
    query: `mutation ($id: ID!, $input: ProfileChanges!) { updateProfile(id: $id, input: $input) ${profile} }`,
    variables: { id, input: changes },
  },
  rest: { method: "PUT", path: `/users/profile/${id}`, body: changes },
});

export const uploadProfilePhoto = (file = picture): ParityCall => ({
  graphql: {
    query: "mutation ($image: Upload!) { uploadProfilePhoto(image: $image) { profilePhoto { url } } }",
    variables: { image: null },
    file,
  },
  rest: {
    method: "POST",
    path: "/users/profile/profile-photo-upload",
    form: [{ name: "image", value: file, filename: "me.jpg" }],
  },
});

export const deleteProfile = (id: string): ParityCall => ({
  graphql: { query: "mutation ($id: ID!) { deleteProfile(id: $id) { message } }", variables: { id } },
  rest: { method: "DELETE", path: `/users/profile/${id}` },
});

export const readUsers: ParityCall = {
  graphql: {
    query: `{ users(first: 100) { nodes {
      _id: id id username email isAdmin isAccountVerified createdAt profilePhoto { url } } } }`,
  },
  rest: { method: "GET", path: "/users/profile" },
};

export const countUsers: ParityCall = {
  graphql: { query: "{ usersCount }" },
  rest: { method: "GET", path: "/users/count" },
};

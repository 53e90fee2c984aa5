/** The largest numbers of characters that the server accepts, as in `server/limits.ts`. */
export const maxLengths = {
  username: 100,
  email: 100,
  password: 128,
  bio: 1_000,
  title: 200,
  description: 50_000,
  category: 100,
  tag: 40,
  comment: 2_000,
  alt: 500,
  search: 100,
  query: 200,
};

export const PICTURE_BYTES = 10 * 1024 * 1024;

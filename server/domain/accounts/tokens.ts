import { createHash, randomBytes } from "node:crypto";

/** 256 random bits, fit for a header and an address. */
export const newToken = () => randomBytes(32).toString("base64url");

/** What is kept of a token: who reads the database cannot use it. */
export const hashToken = (token: string) => createHash("sha256").update(token).digest();

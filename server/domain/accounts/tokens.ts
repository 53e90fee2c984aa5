import { createHash, randomBytes } from "node:crypto";

export const newToken = () => randomBytes(32).toString("base64url");

/** Only the hash is stored, so that a leaked database reveals no usable token. */
export const hashToken = (token: string) => createHash("sha256").update(token).digest();

import { hash, verify, type Options } from "@node-rs/argon2";

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; about 36 ms of one core. */
const options: Options = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string) => hash(password, options);

export const checkPassword = (passwordHash: string, password: string) => verify(passwordHash, password);

let decoy: Promise<string> | undefined;

/** For an unknown account: takes the time of a check, so that nobody can tell by the clock. */
export async function spendPasswordTime(): Promise<false> {
  await verify(await (decoy ??= hashPassword("nobody's password")), "somebody's password");
  return false;
}

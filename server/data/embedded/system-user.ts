import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

export type SystemUser = { uid: number; gid: number };

/**
 * PostgreSQL refuses to run as root, so root runs it as the user `postgres`, which is created if missing.
 * @returns null if the process is not root: the server then runs as the current user
 * @throws Error with one sentence for the operator if the user cannot be created
 */
export async function findDatabaseUser(): Promise<SystemUser | null> {
  if (process.getuid?.() !== 0) return null;
  const existing = await findPostgresUser();
  if (existing) return existing;
  await run("useradd", ["--system", "--user-group", "--no-create-home", "postgres"]).catch(() => undefined);
  const created = await findPostgresUser();
  if (created) return created;
  throw new Error(
    "PostgreSQL cannot run as root and no user postgres could be made: run as another user, or set DATABASE_URL.",
  );
}

async function findPostgresUser(): Promise<SystemUser | null> {
  try {
    const [uid, gid] = await Promise.all(["-u", "-g"].map((flag) => run("id", [flag, "postgres"])));
    return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
  } catch {
    return null;
  }
}

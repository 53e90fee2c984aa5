import { writeFile } from "node:fs/promises";
import { commandName, EnvError, readEnv } from "../env.ts";
import { BlogError } from "../errors.ts";
import { StartError } from "../start-error.ts";

type Command = { does: string; run: (args: string[]) => Promise<string> };

const print = (line: string) => console.log(`  ${line}`);

const commands: Record<string, Command> = {
  admin: {
    does: "make an account with all rights, whose password is generated or read from the input: admin create EMAIL [--password-stdin]",
    run: async (args) => {
      const { createAdminAccount } = await import("./admin.ts");
      return createAdminAccount(readEnv(), args);
    },
  },
  seed: {
    does: "fill an empty blog with demo content",
    run: async () => {
      const { seed } = await import("./seed.ts");
      return seed(readEnv());
    },
  },
  backup: {
    does: "write database and pictures into one file, while the blog runs: backup FILE",
    run: async (args) => {
      const { backup } = await import("./backup.ts");
      return backup(readEnv(), args, print);
    },
  },
  restore: {
    does: "restore a backup into an empty blog, or with --replace over an existing one: restore FILE",
    run: async (args) => {
      const { restore } = await import("./restore.ts");
      return restore(readEnv(), args, print);
    },
  },
  media: {
    does: "move the pictures to another folder or bucket while the blog runs: media move; or register the store they are in: media adopt",
    run: async (args) => {
      const { runMedia } = await import("./media.ts");
      return runMedia(readEnv(), args, print);
    },
  },
  doctor: {
    does: "check everything the blog needs, and print how to fix problems",
    run: async () => {
      const { runDoctor } = await import("./doctor.ts");
      const findings = await runDoctor();
      if (findings.some(({ verdict }) => verdict === "problem")) process.exitCode = 1;
      return findings.map(({ verdict, message }) => `  ${verdict.padEnd(9)}${message}`).join("\n");
    },
  },
  version: {
    does: "print the version",
    run: async () => {
      const { VERSION } = await import("../version.ts");
      return `Blog ${VERSION}, Node.js ${process.version}`;
    },
  },
  schema: {
    does: "write schema.graphql from the code",
    run: async () => {
      const { printBlogSchema } = await import("../graphql/schema.ts");
      await writeFile("schema.graphql", printBlogSchema());
      return "Wrote schema.graphql.";
    },
  },
  "write-migration": {
    does: "write the SQL for what changed in prisma/schema.prisma: write-migration NAME",
    run: async ([name]) => {
      const { withDatabaseUrl } = await import("./with-database-url.ts");
      const { writeMigration } = await import("./write-migration.ts");
      return withDatabaseUrl(readEnv(), (url) => writeMigration(url, name));
    },
  },
};

const isExpected = (error: unknown): error is Error =>
  error instanceof EnvError || error instanceof StartError || error instanceof BlogError;

async function main([given = "", ...args]: string[]): Promise<void> {
  const name = given === "--version" || given === "-v" ? "version" : given;
  const command = commands[name];
  if (!command) {
    const lines = Object.entries(commands).map(([each, { does }]) => `  ${each.padEnd(18)}${does}`);
    console.error([`Usage: ${commandName()} COMMAND`, ...lines].join("\n"));
    process.exit(name ? 1 : 0);
  }
  console.log(await command.run(args));
}

/** Operating errors become one line: only bugs need a stack. */
function sentenceOf(error: unknown): unknown {
  if (isExpected(error)) return error.message;
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === "ECONNREFUSED") return "The database does not answer: the command `doctor` says more.";
  return path && code ? `${path} cannot be used (${code}).` : error;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(sentenceOf(error));
  process.exit(1);
});

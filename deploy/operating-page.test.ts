import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBlog } from "../e2e/testing/blog.ts";
import { findFreePort } from "../server/data/embedded/free-port.ts";
import { startMailServer } from "../server/testing/mail.ts";
import { makeFolder, removeFolder, startPostgres } from "./testing/programs.ts";

const page = readFileSync("docs/operating.md", "utf8");
const BLOCKS = /^```\n([\s\S]*?)^```$/gm;
const isCommand = (text: string) =>
  /^(sudo|useradd|npm|npx|rsync|ln|install|cp|rm|git|systemctl|journalctl|certbot|docker|sha256sum|\d+ \d+ \*) /.test(
    text,
  );

/** All commands of the page, from code blocks and from code spans, which may be wrapped. */
function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(BLOCKS)].flatMap(([, lines = ""]) => lines.trim().split("\n"));
  const spans = [...text.replace(BLOCKS, "").matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
  return [...new Set([...blocks, ...spans].map((each) => each.replace(/\s+/g, " ")).filter(isCommand))];
}

/** Run below, in this order, with the folders, the user and the names of the database replaced. */
const RUN = {
  database: "sudo -u postgres createuser --pwprompt blog && sudo -u postgres createdb --owner blog blog",
  release: "npm run release -- /opt/blog-1",
  link: "ln -sfn /opt/blog-1 /opt/blog",
  settings: "install --mode 640 --group blog /opt/blog/.env.example /etc/blog.env",
  doctor: "sudo -u blog ENV_FILE=/etc/blog.env /opt/blog/bin/blog doctor",
  backups: "install -d -o blog -g blog -m 700 /var/backups/blog",
  cron: "15 3 * * * blog ENV_FILE=/etc/blog.env /opt/blog/bin/blog backup /var/backups/blog/$(date +\\%F).tar.gz >/dev/null && find /var/backups/blog -name '*.tar.gz' -mtime +14 -delete",
  adopt: "npm run blog -- media adopt",
  doctorOfClone: "npm run blog -- doctor",
  backup: "npm run blog -- backup FILE",
  checksums: "sha256sum -c",
  restore: "npm run blog -- restore FILE",
  update:
    "git pull && npm run release -- /opt/blog-2 && ln -sfn /opt/blog-2 /opt/blog && systemctl restart blog",
  remove: "rm -r /opt/blog-1",
};

const NOT_RUN: Record<string, string[]> = {
  "adds an account to this machine": [
    "useradd --system --home-dir /var/lib/blog --shell /usr/sbin/nologin blog",
  ],
  "needs a second machine": ["rsync -a /opt/blog-1/ server:/opt/blog-1/"],
  "needs a running systemd": [
    "systemctl daemon-reload && systemctl enable --now blog",
    "journalctl -u blog -o cat",
  ],
  "needs a public name": ["certbot certonly --nginx -d blog.example.org"],
  "needs a remote repository": ["git pull"],
  "needs the Docker engine": [
    "cp ../../.env.example .env",
    "docker compose up --build --detach",
    "docker compose exec app blog doctor",
    "git pull && docker compose up --build --detach",
    "docker compose exec app blog backup /data/blog.tar.gz && docker compose cp app:/data/blog.tar.gz . && docker compose exec app rm /data/blog.tar.gz",
    'docker compose stop app && docker compose run --rm -v "$PWD:/in:ro" app blog restore /in/blog.tar.gz --replace && docker compose start app',
  ],
  "runs this test": ["npm run test:deploy -- operating-page"],
  "is a pattern of other commands": [
    "npm run blog -- …",
    "npx vitest run --project server …",
    "npm run test:deploy -- …",
    "npm run release",
  ],
  "needs a bucket; `server cli/media` runs it": [
    "npm run blog -- media move",
    "npm run blog -- media move --remove",
  ],
  "runs in every other test": ["npm start", "npm run blog"],
};

test("every command of docs/operating.md is run below, or has a reason why it is not", () => {
  const listed = [...Object.values(RUN), ...Object.values(NOT_RUN).flat()];
  expect(commandsOf(page).filter((each) => !listed.includes(each))).toEqual([]);
  expect(listed.filter((each) => !page.replace(/\s+/g, " ").includes(each))).toEqual([]);
});

describe("the commands of docs/operating.md", () => {
  const folder = makeFolder("page");
  const file = join(folder, "saved.tar.gz");
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  const env = () => ({ PGHOST: "127.0.0.1", PGPORT: String(postgres.port), PGUSER: "blog" });
  beforeAll(async () => {
    postgres = await startPostgres(folder);
    for (const name of ["opt", "etc", "var/lib/blog", "var/backups"])
      mkdirSync(join(folder, name), { recursive: true });
  });
  afterAll(async () => {
    await postgres.stop();
    removeFolder(folder);
  });

  /** The test has its own root folder, and its superuser is called `blog`. */
  const adapt = (command: string) =>
    command
      .replace(/^15 3 \* \* \* blog (.*)$/, (_all, line: string) => line.replaceAll("\\%", "%"))
      .replace(/sudo -u \w+ /g, "")
      .replace(/ --group blog| -o blog -g blog|git pull && | && systemctl restart blog/g, "")
      .replace("--pwprompt blog", "--pwprompt writer")
      .replace("--owner blog blog", "--owner writer weblog")
      .replace("npm run blog -- ", `ENV_FILE=/etc/blog.env /opt/blog/bin/blog `)
      .replace(/ FILE\b/, ` ${file}`)
      .replace(/(?<![\w.])\/(opt|etc|var)\//g, `${folder}/$1/`);

  async function run(command: string, { input = "", cwd = "." } = {}): Promise<string> {
    const options = { cwd, env: { ...process.env, ...env(), ENV_FILE: "" } };
    return await new Promise((resolve, reject) => {
      // Without a terminal, createuser reads the password from its input.
      const child = execFile("setsid", ["--wait", "sh", "-ec", adapt(command)], options, (error, out, err) =>
        error ? reject(new Error(`${command}\n${out}${err}`)) : resolve(out),
      );
      child.stdin?.end(input);
    });
  }

  test("install, check, back up, restore and update a blog", async () => {
    await run(RUN.database, { input: "secret\nsecret\n" });
    await run(RUN.release);
    await run(RUN.link);
    await run(RUN.settings);
    const [port, mailPort] = [await findFreePort(), await findFreePort()];
    await startMailServer({ port: mailPort });
    const settings = {
      ...{ PORT: String(port), PUBLIC_URL: "https://blog.example.org", TRUST_PROXY: "1" },
      ...{ DATA_DIR: join(folder, "var/lib/blog"), MAIL_FROM: "blog@blog.example.org" },
      ...{ DATABASE_URL: `postgresql://writer:secret@127.0.0.1:${postgres.port}/weblog` },
      ...{ ADMIN_EMAIL: "owner@blog.example.org", ADMIN_PASSWORD: "a password of some length" },
      MAIL_URL: `smtp://127.0.0.1:${mailPort}`,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(folder, "etc/blog.env"), lines.join(""));

    const program = { folder: join(folder, "opt/blog"), script: "dist/server/main.js" };
    const blog = await startBlog({ dataDir: settings.DATA_DIR, port, env: settings, program });
    for (const doctor of [RUN.doctor, RUN.doctorOfClone])
      expect(await run(doctor)).toContain("all migrations are applied");
    await run(RUN.backups);
    await run(RUN.cron);
    await run(RUN.backup);
    expect(await run(`ls /var/backups/blog`)).toMatch(/^\d{4}-\d\d-\d\d\.tar\.gz\n$/);
    await run(RUN.adopt);
    expect(await blog.stop()).toBe(0);

    await run(`mkdir /var/unpacked && tar -xzf ${file} -C /var/unpacked`);
    await run(`${RUN.checksums} checksums.txt`, { cwd: join(folder, "var/unpacked") });
    expect(await run(`${RUN.restore} --replace`)).toContain("Restored.");
    await run(RUN.update);
    await run(RUN.remove);
    const updated = await startBlog({ dataDir: settings.DATA_DIR, port, env: settings, program });
    expect((await fetch(`${updated.url}/health`)).status).toBe(200);
    expect(await updated.stop()).toBe(0);
  }, 300_000);
});

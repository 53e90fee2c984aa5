import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { EnvError, readEnv, withEnvFile } from "./env.ts";

const refusalOf = (source: Record<string, string>): string => {
  try {
    readEnv(source);
  } catch (error) {
    expect(error).toBeInstanceOf(EnvError);
    return (error as Error).message;
  }
  throw new Error("it was taken");
};

test("the defaults are an embedded database, demo content, and this machine alone", () => {
  expect(readEnv({})).toMatchObject({
    ...{
      NODE_ENV: "production",
      PORT: 4000,
      HOST: "127.0.0.1",
      DATA_DIR: resolve(".data"),
      SITE_TITLE: "Blog",
    },
    ...{ LOG_LEVEL: "info", RATE_LIMITS: true, embedded: true, demo: true, demoLogins: true },
    ...{ publicUrl: "http://localhost:4000", corsOrigins: null, trustProxy: false },
  });
});

test("a file supplies missing variables, and has to exist if ENV_FILE names it", () => {
  const file = join(mkdtempSync(join(tmpdir(), "blog-env-")), "settings");
  writeFileSync(file, 'PORT=4711\n# of the shop\nSITE_TITLE="Our shop"\nDEMO=off\n');
  const env = readEnv(withEnvFile({ ENV_FILE: file, PORT: "4712" }));
  expect(env).toMatchObject({ PORT: 4712, SITE_TITLE: "Our shop", demo: false });
  const missing = `${file} that is not there`;
  expect(() => withEnvFile({ ENV_FILE: missing })).toThrow(`ENV_FILE ${missing} cannot be read (ENOENT).`);
  rmSync(dirname(file), { recursive: true });
});

test("an empty string counts as unset", () => {
  const names = ["PORT", "HOST", "PUBLIC_URL", "DATABASE_URL", "DATABASE_REPLICA_URLS"];
  names.push("ADMIN_EMAIL", "ADMIN_PASSWORD", "DEMO", "LOG_LEVEL");
  expect(readEnv(Object.fromEntries(names.map((name) => [name, ""])))).toEqual(readEnv({}));
});

test("unknown variables are ignored", () => {
  expect(readEnv({ HOME: "/root", npm_config_loglevel: "loud" })).toEqual(readEnv({}));
});

describe("if set,", () => {
  test("a port appears in the public URL too", () => {
    expect(readEnv({ PORT: "8080" })).toMatchObject({ PORT: 8080, publicUrl: "http://localhost:8080" });
    expect(readEnv({ PORT: "0" }).PORT).toBe(0);
  });

  test("a public URL loses trailing slashes", () => {
    expect(readEnv({ PUBLIC_URL: "https://blog.test/" }).publicUrl).toBe("https://blog.test");
    expect(readEnv({ PUBLIC_URL: "https://blog.test/news//" }).publicUrl).toBe("https://blog.test/news");
  });

  test.each([
    [{}, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" }, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318", OTEL_TRACES_EXPORTER: "none" }, false],
    [{ OTEL_TRACES_EXPORTER: "otlp" }, true],
  ])("%j: traces are exported: %s", (source, exportsTraces) => {
    expect(readEnv(source)).toMatchObject({ exportsTraces, OTEL_TRACES_SAMPLER_ARG: 1 });
  });

  test("DATABASE_REPLICA_URLS are separated by commas, and DATABASE_URL is their primary", () => {
    const urls = ["postgresql://db-2.test/blog", "postgresql://db-3.test/blog"];
    const DATABASE_REPLICA_URLS = urls.join(", ");
    expect(readEnv({ DATABASE_URL: urls[0], DATABASE_REPLICA_URLS }).replicaUrls).toEqual(urls);
    expect(refusalOf({ DATABASE_REPLICA_URLS })).toMatch(/^DATABASE_REPLICA_URLS is given, and DATABASE_URL/);
    expect(refusalOf({ DATABASE_REPLICA_URLS: "db-2" })).toMatch(/^DATABASE_REPLICA_URLS must look like/);
  });

  test("DATABASE_URL disables the embedded database and demo content", () => {
    const env = readEnv({ DATABASE_URL: "postgres://me:secret@db.test/blog" });
    expect(env).toMatchObject({ embedded: false, demo: false });
    expect(readEnv({ DATABASE_URL: "postgresql://db.test/blog", DEMO: "on" }).demo).toBe(true);
    expect(readEnv({ DEMO: "off" }).demo).toBe(false);
  });

  test.each([
    ["127.0.0.1", true],
    ["127.8.8.8", true],
    ["localhost", true],
    ["::1", true],
    ["0.0.0.0", false],
    ["::", false],
    ["192.168.1.2", false],
    ["127.evil.test", false],
    ["blog.test", false],
  ])("host %s: demo logins work is %s", (HOST, works) => {
    expect(readEnv({ HOST }).demoLogins).toBe(works);
  });

  test.each([
    ["http://localhost:8080", true],
    ["http://127.0.0.1", true],
    ["http://[::1]:4000", true],
    ["https://blog.example.org", false],
    ["http://localhost.evil.test", false],
    ["http://192.168.1.2:4000", false],
  ])("public address %s: demo content and logins are %s", (PUBLIC_URL, isLocal) => {
    expect(readEnv({ PUBLIC_URL })).toMatchObject({ demo: isLocal, demoLogins: isLocal });
    expect(readEnv({ PUBLIC_URL, DEMO: "on" })).toMatchObject({ demo: true, demoLogins: isLocal });
  });

  test("a trusted proxy disables demo logins", () => {
    for (const TRUST_PROXY of ["on", "1", "loopback"])
      expect(readEnv({ TRUST_PROXY })).toMatchObject({ demo: true, demoLogins: false });
  });

  test("CORS origins are a list", () => {
    expect(readEnv({ CORS_ORIGINS: "https://a.test, https://b.test:8080" }).corsOrigins).toEqual([
      "https://a.test",
      "https://b.test:8080",
    ]);
  });

  test("a proxy is trusted only if configured", () => {
    const one = readEnv({ TRUST_PROXY: "on" }).trustProxy as (address: string, hop: number) => boolean;
    expect([0, 1].map((hop) => one("10.0.0.1", hop))).toEqual([true, false]);
    expect(readEnv({ TRUST_PROXY: "10.0.0.0/8" }).trustProxy).toBe("10.0.0.0/8");
    const trusts = readEnv({ TRUST_PROXY: "2" }).trustProxy as (address: string, hop: number) => boolean;
    expect([0, 1, 2].map((hop) => trusts("10.0.0.1", hop))).toEqual([true, true, false]);
  });

  test("ADMIN_EMAIL and ADMIN_PASSWORD are accepted together", () => {
    const admin = { ADMIN_EMAIL: "ada@example.com", ADMIN_PASSWORD: "a long enough secret" };
    expect(readEnv(admin)).toMatchObject(admin);
  });
});

describe("an invalid variable is named in one sentence:", () => {
  const port = "must be a port number between 0 and 65535.";
  test.each([
    ["PORT", "http", `PORT "http" ${port}`],
    ["PORT", "-1", `PORT "-1" ${port}`],
    ["PORT", "65536", `PORT "65536" ${port}`],
    ["PORT", "80.5", `PORT "80.5" ${port}`],
    ["DEMO", "yes", 'DEMO "yes" must be on or off.'],
    ["RATE_LIMITS", "1", 'RATE_LIMITS "1" must be on or off.'],
    ["OTEL_TRACES_EXPORTER", "zipkin", 'OTEL_TRACES_EXPORTER "zipkin" must be otlp or none.'],
    ["OTEL_TRACES_SAMPLER_ARG", "2", 'OTEL_TRACES_SAMPLER_ARG "2" must be a number between 0 and 1.'],
    [
      "SLOW_STATEMENT_MS",
      "fast",
      'SLOW_STATEMENT_MS "fast" must be a number of milliseconds between 0 and 60000.',
    ],
    ["LOG_LEVEL", "loud", 'LOG_LEVEL "loud" must be one of fatal, error, warn, info, debug, trace, silent.'],
    ["PUBLIC_URL", "blog.test", "PUBLIC_URL must be an http:// or https:// address."],
    ["PUBLIC_URL", "javascript:alert(1)", "PUBLIC_URL must be an http:// or https:// address."],
    [
      "DATABASE_URL",
      "mysql://db/blog",
      "DATABASE_URL must look like postgresql://user:password@host:5432/name.",
    ],
    ["MAIL_URL", "http://mail.test", "MAIL_URL must look like smtp://user:password@host:587."],
    [
      "TRUST_PROXY",
      "yes",
      'TRUST_PROXY "yes" must be on, off, a number of hops, or addresses such as 10.0.0.0/8,::1.',
    ],
    ["DATABASE_URL", "blog", "DATABASE_URL must look like postgresql://user:password@host:5432/name."],
    [
      "MAIL_FROM",
      "foo",
      `MAIL_FROM "foo" must be an address, or a name with one: "Blog" <no-reply@example.org>.`,
    ],
  ])("%s=%s", (name, value, sentence) => {
    expect(refusalOf({ [name]: value })).toBe(sentence);
  });

  test("an invalid ADMIN_EMAIL", () => {
    const ADMIN_PASSWORD = "a long enough secret";
    expect(refusalOf({ ADMIN_EMAIL: "ada", ADMIN_PASSWORD })).toBe(
      'ADMIN_EMAIL "ada" must be an e-mail address.',
    );
  });

  test("a short ADMIN_PASSWORD", () => {
    expect(refusalOf({ ADMIN_EMAIL: "ada@example.com", ADMIN_PASSWORD: "2 short" })).toBe(
      "ADMIN_PASSWORD must have 8 to 128 characters.",
    );
  });

  test("a METRICS_TOKEN that is short or invalid in a header", () => {
    const sentence = "METRICS_TOKEN must have 16 to 200 letters, digits or signs, without spaces.";
    expect(refusalOf({ METRICS_TOKEN: "short" })).toBe(sentence);
    expect(refusalOf({ METRICS_TOKEN: "long enough but of words" })).toBe(sentence);
    expect(readEnv({ METRICS_TOKEN: "s3cret-of-16-signs" }).METRICS_TOKEN).toBe("s3cret-of-16-signs");
  });

  test("an admin without a password, or a password without an admin", () => {
    const sentence = "ADMIN_EMAIL and ADMIN_PASSWORD belong together: give both or neither.";
    expect(refusalOf({ ADMIN_EMAIL: "ada@example.com" })).toBe(sentence);
    expect(refusalOf({ ADMIN_PASSWORD: "a long enough secret" })).toBe(sentence);
  });

  test("several variables, one line each", () => {
    const lines = refusalOf({ PORT: "http", DEMO: "yes", PUBLIC_URL: "blog" }).split("\n");
    expect(lines.map((line) => line.split(" ")[0]).sort()).toEqual(["DEMO", "PORT", "PUBLIC_URL"]);
  });
});

describe("the store of the pictures", () => {
  const bucket = { MEDIA_URL: "s3://bucket?endpoint=https://s3.example.org:9000" };
  const at = { bucket: "bucket", endpoint: "https://s3.example.org:9000" };

  test("is a folder, or a bucket with its key and region", () => {
    const folder = join(resolve(".data"), "media");
    expect(readEnv({}).stores).toMatchObject({ folder, store: "folder", previous: null, keys: undefined });
    const keys = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "eu-1" };
    expect(readEnv({ ...bucket, ...keys }).stores).toMatchObject({
      store: { ...at, region: "eu-1" },
      keys: { accessKeyId: "id", secretAccessKey: "secret" },
    });
    expect(readEnv({ MEDIA_URL: "s3://bucket?region=eu-2", AWS_REGION: "eu-1" }).stores.store).toEqual({
      bucket: "bucket",
      region: "eu-2",
    });
  });

  test("has its public address only when the pictures have moved", () => {
    const MEDIA_PUBLIC_URL = "https://cdn.example.org/";
    expect(readEnv({ ...bucket, MEDIA_PUBLIC_URL }).stores.publicUrl).toBe("https://cdn.example.org");
    const moving = readEnv({ ...bucket, MEDIA_PUBLIC_URL, MEDIA_PREVIOUS_URL: "folder" }).stores;
    expect([moving.previous, moving.publicUrl]).toEqual(["folder", undefined]);
  });

  test.each([
    "bucket",
    "https://bucket.example.org",
    "s3://",
    "s3://bucket/below",
    "s3://id:secret@bucket",
    "s3://bucket?endpoint=s3.example.org",
    "s3://bucket?end-point=https://s3.example.org",
  ])("is not %s", (MEDIA_URL) => {
    expect(refusalOf({ MEDIA_URL })).toMatch(/^MEDIA_URL must be folder, or look like s3:/);
  });

  test("is another than the previous one, and has a whole key", () => {
    expect(refusalOf({ ...bucket, MEDIA_PREVIOUS_URL: bucket.MEDIA_URL })).toContain(
      "MEDIA_PREVIOUS_URL is MEDIA_URL",
    );
    expect(refusalOf({ MEDIA_PREVIOUS_URL: "folder" })).toContain("MEDIA_PREVIOUS_URL is MEDIA_URL");
    const refusal = refusalOf({ AWS_SECRET_ACCESS_KEY: "hunter2" });
    expect(refusal).toContain("AWS_SECRET_ACCESS_KEY belong together");
    expect(refusal).not.toContain("hunter2");
  });
});

describe("a CDN", () => {
  const purges = { CDN_PURGE_URL: "https://cdn.test/purge", CDN_PURGE_TOKEN: "hunter2" };

  test("is off by default, may be purged without storing anything, and stores only what it is purged of", () => {
    expect(readEnv({}).cdn).toEqual({ sharing: null, purges: null });
    const httpWorkerFile = resolve("dist/server/http-worker.js");
    const target = { url: "https://cdn.test/purge", form: "webhook", token: "hunter2", httpWorkerFile };
    expect(readEnv(purges).cdn).toEqual({ sharing: null, purges: target });
    const cdn = readEnv({ ...purges, CDN_MAX_AGE: "600", CDN_PURGE_FORM: "fastly" }).cdn;
    expect(cdn).toEqual({
      sharing: { maxAge: 600, form: "fastly" },
      purges: { ...target, form: "fastly" },
    });
    expect(refusalOf({ CDN_MAX_AGE: "600" })).toContain("CDN_PURGE_URL is not");
    expect(refusalOf({ ...purges, CDN_MAX_AGE: "600", READ_CACHE: "off" })).toContain("needs READ_CACHE=on");
    expect(refusalOf({ CDN_PURGE_URL: "https://cdn.test", CDN_PURGE_FORM: "cloudflare" })).toContain(
      "needs CDN_PURGE_TOKEN",
    );
    expect(refusalOf({ CDN_MAX_AGE: "0" })).toBe('CDN_MAX_AGE "0" must be seconds between 1 and 86400.');
  });
});

test("no password is shown", () => {
  const secret = "hunter2";
  for (const source of [
    { ADMIN_EMAIL: "ada@example.com", ADMIN_PASSWORD: secret },
    { ADMIN_PASSWORD: `${secret} and more` },
    { ADMIN_EMAIL: "ada@example.com", ADMIN_PASSWORD: secret.repeat(30) },
    { DATABASE_URL: `mysql://me:${secret}@db.test/blog` },
    { DATABASE_URL: secret },
    { DATABASE_REPLICA_URLS: `mysql://me:${secret}@db.test/blog` },
    { MAIL_URL: `imap://me:${secret}@mail.test` },
    { PUBLIC_URL: `ftp://me:${secret}@blog.test` },
    { METRICS_TOKEN: secret },
    { CDN_PURGE_TOKEN: `${secret} ${secret}` },
    { CDN_PURGE_URL: `https://me:${secret}@cdn.test` },
  ])
    expect(refusalOf(source as unknown as Record<string, string>)).not.toContain(secret);
});

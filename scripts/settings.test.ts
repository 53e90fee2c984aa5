import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (file: string) => readFileSync(file, "utf8");
const source = read("server/env.ts");
const variables = [...source.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name = ""]) => name);
/** Set by processes and for development, never by an operator. */
const internal = ["NODE_ENV", "BUILD_DIR"];

test("every setting is documented in README and listed in .env.example", () => {
  expect(variables.length).toBeGreaterThan(20);
  for (const name of variables.filter((each) => !internal.includes(each))) {
    expect(read("README.md"), name).toContain(`\`${name}\``);
    expect(read(".env.example"), name).toMatch(new RegExp(`^#${name}=`, "m"));
  }
});

test("Docker Compose passes on every setting that it does not define", () => {
  const ofImage = ["PORT", "HOST", "DATA_DIR", "DATABASE_DIRECT_URL"];
  for (const file of ["docker-compose.yml", "deploy/compose/compose.yml"])
    for (const name of variables.filter((each) => ![...internal, ...ofImage].includes(each)))
      expect(read(file), `${file}: ${name}`).toMatch(new RegExp(`^ {6}${name}: `, "m"));
});

test("Docker Compose limits the logs of every container", () => {
  for (const file of ["docker-compose.yml", "deploy/compose/compose.yml"]) {
    const [, services = ""] = read(file).split(/^services:$/m);
    const containers = services.match(/^ {4}(image|build):/gm)?.length;
    expect(services.match(/^ {4}logging: \*logging$/gm)?.length, file).toBe(containers);
    expect(read(file)).toMatch(
      /^x-logging: &logging .*\n {2}driver: local\n {2}options:\n {4}max-size: 50m/m,
    );
  }
});

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { TestResponse } from "./app.ts";

type Operation = { responses: Record<string, { content?: Record<string, object> }> };
export type ApiDocument = { paths: Record<string, Record<string, Operation>> };

/** Validates responses of /api against its OpenAPI document. */
export function createResponseValidator(document: ApiDocument) {
  // Not strict: OpenAPI's keywords, such as `examples`, are not JSON Schema's.
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true })).addSchema(document, "api");
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (pointer: string) => {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` });
    validators.set(pointer, validate);
    return validate;
  };
  /** @throws if the status is not documented, or the body has another shape */
  return (
    method: string,
    url: string,
    { status, body, text }: Pick<TestResponse, "status" | "body" | "text">,
  ): void => {
    const call = `${method} ${url} answered ${status}`;
    const path = templateOf(document, method, url);
    const operation = path && document.paths[path]?.[method.toLowerCase()];
    const response = operation && operation.responses[status];
    if (operation && !response) throw new Error(`${call}, which is not documented: ${text.slice(0, 500)}`);
    if (response && !response.content) return;
    const steps = ["paths", path ?? "", method.toLowerCase(), "responses", String(status), "content"];
    const inOperation = `/${[...steps, "application/json", "schema"].map(escape).join("/")}`;
    // An unknown operation responds with a Problem.
    const validate = validatorOf(operation ? inOperation : "/components/schemas/Problem");
    if (validate(body)) return;
    const errors = ajv.errorsText(validate.errors);
    throw new Error(`${call} in a shape that is not documented: ${errors}\n${text.slice(0, 500)}`);
  };
}

const escape = (step: string) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"));

/** The documented path of a URL. Literal segments win over parameters. */
export function templateOf(document: ApiDocument, method: string, url: string): string | undefined {
  const [address = ""] = url.replace(/^\/api/, "").split("?");
  const fits = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(address);
  const candidates = Object.keys(document.paths).filter(
    (template) => document.paths[template]?.[method.toLowerCase()] && fits(template),
  );
  return candidates.sort((a, b) => a.split("{").length - b.split("{").length)[0];
}

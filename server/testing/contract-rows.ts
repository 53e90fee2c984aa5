import { expect, test } from "vitest";
import { createResponseValidator, type ApiDocument } from "./api-document.ts";
import { startTestApp } from "./app.ts";
import { afterFile } from "./cleanup.ts";
import { encodeForm, type FormPart } from "./forms.ts";

type Sent = {
  token?: string;
  json?: unknown;
  text?: string;
  form?: FormPart[];
  headers?: Record<string, string>;
};

/** The blog on a real port, requested by `fetch`, as a client of the contract does. */
export async function startContractTest() {
  const blog = await startTestApp();
  const address = await blog.app.listen({ port: 0, host: "127.0.0.1" });
  const document = (await (await fetch(`${address}/api/openapi.json`)).json()) as ApiDocument;
  const validateResponse = createResponseValidator(document);
  let calls = 0;

  async function ask(line: string, sent: Sent = {}) {
    calls++;
    const [method = "", path = ""] = line.split(/ (.*)/);
    const fetched = await fetch(`${address}/api${path}`, { method, ...requestInitOf(sent) });
    const text = await fetched.text();
    const response = {
      status: fetched.status,
      body: JSON.parse(text) as any,
      text,
      headers: fetched.headers,
    };
    expect(fetched.headers.get("access-control-allow-origin")).toBe("*");
    expect(fetched.headers.get("content-type")).toBe("application/json; charset=utf-8");
    validateResponse(method, `/api${path}`, response);
    return response;
  }

  return {
    ...{ blog, address, ask },
    counted: () => calls,
    /** Expects the status, and a body with exactly these keys or equal to `expected`. @returns the body */
    async done(line: string, sent: Sent, status: number, expected: unknown) {
      const { body, status: given } = await ask(line, sent);
      expect([line, given]).toEqual([line, status]);
      if (typeof expected === "string") expect(Object.keys(body).sort()).toEqual(expected.split(" ").sort());
      else expect(body).toEqual(expected);
      return body;
    },
    /** Expects the status, and the message if the contract specifies one. */
    async refused(line: string, sent: Sent, status: number, message: string | RegExp = /\S/) {
      const { body, status: given } = await ask(line, sent);
      expect([line, given, body.message]).toEqual([
        line,
        status,
        typeof message === "string" ? message : expect.stringMatching(message),
      ]);
    },
  };
}

function requestInitOf({ token, json, text, form, headers = {} }: Sent): RequestInit {
  const bearer: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  if (form) {
    const { payload, headers: type } = encodeForm(form);
    return { body: new Uint8Array(payload), headers: { ...bearer, ...type, ...headers } };
  }
  const body = json === undefined ? text : JSON.stringify(json);
  const type: Record<string, string> = json === undefined ? {} : { "content-type": "application/json" };
  return { ...(body !== undefined && { body }), headers: { ...bearer, ...type, ...headers } };
}

/** Tests the quoted rows of the contract in order, and checks that each sends requests. */
export function testContractRows(rows: Record<string, () => Promise<void>>, counted: () => number): void {
  test.each(Object.entries(rows))("%s", async (_row, walk) => {
    const before = counted();
    await walk();
    expect(counted()).toBeGreaterThan(before);
  });
  afterFile(async () =>
    console.log(`walked ${Object.keys(rows).length} rows of the contract by ${counted()} calls`),
  );
}

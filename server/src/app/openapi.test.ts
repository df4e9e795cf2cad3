import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { webhookEventTypes } from "@prosa/contract";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, testPassword } from "#server/testing/factories.ts";

/** A folder from which the client's packages resolve. */
const cache = fileURLToPath(new URL("../../../.cache/", import.meta.url));

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}
interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly parameters: { readonly name: string }[] } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

let app: TestApp;
let text: string;
let document: Document;
beforeAll(async () => {
  app = await createTestApp({ env: { PUBLIC_URL: "https://desk.prosa.test" } });
  ({ text, body: document } = await app.as(undefined).get<Document>("/docs/json"));
});
afterAll(() => app.close());

const operations = () => Object.values(document.paths).flatMap((path) => Object.values(path));

test("redocly finds no error in the document (V-05)", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
  const errors = problems.filter(({ severity }) => severity === "error");
  expect(errors.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer} ${message}`)).toEqual([]);
});

test("each call has a unique id, each response and body a name, and the document has the server's URL", () => {
  const ids = operations().map(({ operationId }) => operationId);
  expect(ids).toHaveLength(app.product.http.endpoints.length);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain("ticketsList");
  expect(document.servers).toEqual([{ url: "https://desk.prosa.test" }]);

  const schemas = operations().flatMap(({ requestBody, responses }) => [
    requestBody?.content["application/json"]?.schema,
    ...Object.values(responses).map(({ content }) => content["application/json"]?.schema),
  ]);
  expect(schemas.filter((schema) => schema !== undefined && !("$ref" in schema))).toEqual([]);
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(["Tag", "TagBody", "Ticket"]));
});

test("each event that a webhook is sent is described, with the headers that sign it (V-06)", () => {
  expect(Object.keys(document.webhooks)).toEqual([...webhookEventTypes, "webhook.test", "conversation.said"]);
  for (const { post } of Object.values(document.webhooks)) {
    const names = post.parameters.map(({ name }) => name);
    expect(names).toEqual(["webhook-id", "webhook-timestamp", "webhook-signature"]);
  }
});

test("every reference resolves", () => {
  const refs = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = ""]) => ref);
  const known = new Set(Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`));
  expect(refs.filter((ref) => !known.has(ref))).toEqual([]);
});

/** Code of an API client; the generated types must reject each marked line. */
const sample = `
import createClient from "openapi-fetch";
import type { components, paths } from "./api.ts";

export async function play(baseUrl: string, email: string, password: string) {
  const client = createClient<paths>({ baseUrl });
  const signedIn = await client.POST("/auth/login", { body: { email, password } });
  const headers = { authorization: \`Bearer \${signedIn.data?.token}\` };

  const made = await client.POST("/tags", { headers, body: { name: "Made by a client" } });
  const tag: components["schemas"]["TagRecord"] | undefined = made.data;
  const list = await client.GET("/tags", { headers, params: { query: { searchParam: "made by" } } });
  const one = await client.GET("/tags/{id}", { headers, params: { path: { id: tag?.id ?? 0 } } });
  const gone = await client.GET("/tags/{id}", { headers, params: { path: { id: 2_147_483_647 } } });

  // @ts-expect-error the contract knows no such field
  const typo = await client.POST("/tags", { headers, body: { nme: "Wrong" } });
  // @ts-expect-error nor such an address
  void ((): unknown => client.GET("/tagz", {}));
  // @ts-expect-error nor such an answer
  void list.data?.tickets;

  return {
    names: list.data?.tags.map(({ name }) => name),
    color: one.data?.color,
    gone: [gone.response.status, gone.error?.error],
    typo: [typo.response.status, typo.error?.error],
  };
}
`;

/** Compiler errors of a file and its imports. */
async function complaintsAbout(file: string): Promise<string> {
  const tsc = fileURLToPath(new URL("../../../node_modules/@typescript/native/bin/tsc", import.meta.url));
  const flags = "--strict --noEmit --skipLibCheck --module nodenext --target esnext --lib esnext,dom,dom.iterable";
  const options = [...flags.split(" "), "--allowImportingTsExtensions", "--types", "", "--ignoreConfig"];
  const run = promisify(execFile)(process.execPath, [tsc, ...options, file]);
  return run.then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
}

// Runs the compiler.
vi.setConfig({ testTimeout: 120_000 });

test("a client generated by openapi-typescript is typed and works (V-05)", async () => {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "openapi-client-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const types = astToString(await openapiTS(text, { defaultNonNullable: false, silent: true }));
  await writeFile(join(folder, "api.ts"), types);
  await writeFile(join(folder, "sample.ts"), sample);

  expect(await complaintsAbout(join(folder, "sample.ts"))).toBe("");

  const { admin } = await aCompany(app);
  const { play } = (await import(pathToFileURL(join(folder, "sample.ts")).href)) as {
    play(url: string, email: string, password: string): Promise<unknown>;
  };
  expect(await play(await app.listen(), admin.email, testPassword)).toEqual({
    names: ["Made by a client"],
    color: "#A4CCCC",
    gone: [404, "ERR_NOT_FOUND"],
    typo: [400, "ERR_VALIDATION"],
  });
});

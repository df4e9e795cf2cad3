import fc from "fast-check";
import { multipartOf } from "./multipart.ts";
import { oddText, oddValue, valueOf } from "./values.ts";
import type { Schema } from "./values.ts";

/** The parts of an OpenAPI document that are needed to generate calls. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: "path" | "query"; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** An operation of the document. */
export interface Target {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Valid input of a call, with ids of real rows. */
export interface KnownInput {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A generated request. Its body is a latin1 string, so that a finding can be printed and repeated. */
export interface FuzzRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export function targetsOf(document: Document): Target[] {
  return Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ method: verb.toUpperCase(), path, operation })),
  );
}

/** Requests to one call: mostly valid, with one or two odd values. */
export function fuzzRequestsTo(
  document: Document,
  { method, path, operation }: Target,
  knownInput: KnownInput,
): fc.Arbitrary<FuzzRequest> {
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : (document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  const schemasIn = (place: "path" | "query") =>
    Object.fromEntries(
      operation.parameters.filter((each) => each.in === place).map(({ name, schema }) => [name, schema]),
    );
  const content = operation.requestBody?.content ?? {};
  const bodySchema = content["application/json"] && resolve(content["application/json"].schema);
  const form = content["multipart/form-data"];

  const fieldsFor = (schemas: Readonly<Record<string, Schema>>, own: Readonly<Record<string, unknown>>) =>
    fields(
      Object.fromEntries(
        [...new Set([...Object.keys(schemas), ...Object.keys(own)])].map((name) => {
          const valid = schemas[name] ? [{ weight: 1, arbitrary: valueOf(schemas[name], resolve) }] : [];
          const real = Object.hasOwn(own, name) ? [{ weight: 3, arbitrary: fc.constant(own[name]) }] : [];
          return [name, fc.oneof(...real, ...valid)];
        }),
      ),
      Object.keys(own),
    );

  const url = fc
    .tuple(
      fieldsFor(schemasIn("path"), knownInput.path),
      fieldsFor(schemasIn("query"), knownInput.query),
      fc.oneof({ weight: 8, arbitrary: fc.constant("") }, { weight: 1, arbitrary: oddQuery }),
      fc.oneof(
        { weight: 12, arbitrary: fc.constant("") },
        { weight: 1, arbitrary: fc.constantFrom("/", "//", "/..", "%2f", ";a=b") },
      ),
    )
    .map(([params, query, more, tail]) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(params[name] ?? 1));
      const search = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
      return `${filled}${tail}?${[...search, ...(more === "" ? [] : [more])].join("&")}`;
    });

  const json = bodySchema
    ? fieldsFor(bodySchema.properties ?? {}, knownInput.body).map((body) => JSON.stringify(body))
    : fc.constant("{}");
  const payload: fc.Arbitrary<Pick<FuzzRequest, "body" | "headers">> =
    method === "GET"
      ? fc.constant({ body: undefined, headers: {} })
      : fc.oneof(
          {
            weight: form && !content["application/json"] ? 1 : 12,
            arbitrary: json.map((body) => ({ body: utf8(body), headers: { "content-type": "application/json" } })),
          },
          {
            weight: 2,
            arbitrary: fc.tuple(oddBody, oddType).map(([body, type]) => ({ body, headers: { "content-type": type } })),
          },
          { weight: form ? 12 : 1, arbitrary: multipartOf(knownInput.body, fileFieldOf(form?.schema)) },
        );

  return fc
    .tuple(url, payload, oddHeaders)
    .map(([address, { body, headers }, more]) => ({ method, url: address, headers: { ...more, ...headers }, body }));
}

/** Requests to paths outside the API document, served or not. */
export const undocumentedRequests = (): fc.Arbitrary<FuzzRequest> =>
  fc
    .tuple(
      fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"),
      fc.constantFrom(
        ...[
          "/",
          "/media/",
          "/docs",
          "/docs/static/",
          "/health",
          "/ready",
          "/version",
          "/metrics",
          "/assets/",
          "/index.html",
        ],
        ...[
          "/socket.io/?EIO=4&transport=polling",
          "/socket.io/?EIO=4&transport=websocket&sid=",
          "/tickets/",
          "/users/",
          "/.env",
        ],
      ),
      fc.oneof(
        fc.constant(""),
        oddText.map(encoded),
        fc.constantFrom("%2e%2e%2fetc%2fpasswd", "../..", "%", "%ff", "?%ff=%zz", "//", "#"),
      ),
      oddHeaders,
      fc.oneof(fc.constant(undefined), oddBody),
      oddType,
    )
    .map(([method, place, tail, headers, body, type]) => ({
      method,
      url: `${place}${tail}`.slice(0, 8_000),
      headers: body === undefined ? headers : { ...headers, "content-type": type },
      body: method === "GET" || method === "HEAD" ? undefined : body,
    }));

/** Fields of which up to two are odd or missing, sometimes with additional ones. */
function fields(
  valid: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  always: readonly string[],
): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(valid);
  return fc
    .tuple(
      fc.record(valid, { requiredKeys: [...always] }),
      fc.subarray(names, { maxLength: Math.min(2, names.length) }),
      fc.array(fc.oneof({ weight: 4, arbitrary: oddValue }, { weight: 1, arbitrary: fc.constant(undefined) }), {
        minLength: 2,
        maxLength: 2,
      }),
      fc.oneof(
        { weight: 9, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: fc.dictionary(oddText, oddValue, { maxKeys: 2 }) },
      ),
    )
    .map(([base, odd, values, more]) => ({
      ...(base as Record<string, unknown>),
      ...Object.fromEntries(odd.map((name, at) => [name, values[at]])),
      ...more,
    }));
}

function encoded(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return encodeURIComponent(text.toWellFormed()).slice(0, 6_000).replace(/%.?$/, "");
}

function utf8(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

const oddQuery = fc.constantFrom(
  ...[
    "a=1&a=2",
    "pageNumber=1&pageNumber=2",
    "searchParam[]=a",
    "searchParam[a]=b",
    "__proto__=1",
    "__proto__[x]=1",
    "constructor=1",
  ],
  ...[
    "%ff",
    "a=%c0%80",
    "a=%00",
    "a=%ed%a0%80",
    "&&&==",
    "=",
    "%",
    "a=%zz",
    `a=${"x".repeat(4_000)}`,
    "searchParam=%00",
  ],
);

const oddBody = fc.oneof(
  fc.constantFrom(
    ...[
      "",
      "null",
      "[]",
      "0",
      '"x"',
      "{",
      '{"a":',
      "[1,",
      "\uFEFF{}".slice(1),
      "{}{}",
      '{"a":1,"a":2}',
      '{"__proto__":{"x":1}}',
    ],
    ...[
      '{"constructor":{"prototype":{"x":1}}}',
      '{"n":1e999999}',
      '{"s":"\\ud800"}',
      '{"s":"\\u0000"}',
      "\xff\xfe{}",
      "a=1&b=2",
    ],
    `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    `{"a":${"9".repeat(5_000)}}`,
  ),
  fc.string({ unit: "binary-ascii", maxLength: 100 }),
);

const oddType = fc.constantFrom(
  ...[
    "application/json",
    "application/json; charset=utf-16",
    'application/json; charset="',
    "application/json;;",
    "APPLICATION/JSON",
  ],
  ...[
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
    "multipart/form-data",
    "multipart/mixed; boundary=a",
  ],
  ...[
    "multipart/form-data; boundary=",
    `multipart/form-data; boundary=${"b".repeat(300)}`,
    "application/merge-patch+json",
    "x",
    "/",
  ],
);

/** Most requests have none. */
const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      ...[
        { "accept-language": "xx-YY;q=9, *" },
        { accept: "text/html" },
        { accept: "\xff" },
        { range: "bytes=-1" },
        { expect: "x" },
      ],
      ...[{ cookie: "jrt=%ff; jrt=a.b.c; =; __proto__=1" }, { origin: "null" }, { "x-forwarded-for": "a, ,127.0.0.1" }],
      ...[
        { "if-none-match": "*" },
        { "if-modified-since": "never" },
        { "user-agent": "x".repeat(5_000) },
        { "x-request-id": "'" },
      ],
      ...[{ authorization: "Bearer" }, { authorization: "Basic YTpi" }, { authorization: "Bearer a.b.c" }],
      { authorization: `Bearer ${"a".repeat(5_000)}` },
    ),
  },
);

function fileFieldOf(schema: Schema | undefined): string {
  const parts = schema?.allOf ?? (schema ? [schema] : []);
  const names = parts.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, { items }]) => (items?.format === "binary" ? [name] : [])),
  );
  return names[0] ?? "medias";
}

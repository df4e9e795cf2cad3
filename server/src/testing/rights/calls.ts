import * as contract from "@prosa/contract";
import type { AnyEndpoint } from "@prosa/contract";
import { z } from "zod";
import type { TestResponse, TestCaller } from "../app.ts";
import { makeRow } from "./rows.ts";
import type { Member, Row, RowKind } from "./rows.ts";
import { Ref, samples } from "./samples.ts";
import type { Fields, Sample, Value } from "./samples.ts";

/** A call with one of its samples. */
export interface Call {
  /** Name in the contract: `tickets.get`. */
  readonly name: string;
  readonly endpoint: AnyEndpoint;
  readonly sample: Sample;
}

/** Position of an id in a call: `params.id`, `body.queueIds[]`. */
export interface IdPlaceholder {
  readonly path: string;
  readonly ref: Ref;
}

/** Input of a call with real ids. */
export interface FilledCall {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Every call of the contract, by its name there. */
export const endpoints: ReadonlyMap<string, AnyEndpoint> = new Map(
  Object.entries(contract).flatMap(([noun, calls]) =>
    Object.entries(calls as object)
      .filter((entry): entry is [string, AnyEndpoint] => isEndpoint(entry[1]))
      .map(([verb, call]) => [`${noun}.${verb}`, call] as const),
  ),
);

/** Every sample with its call. */
export const calls: readonly Call[] = [...endpoints].flatMap(([name, call]) =>
  [samples[name] ?? []].flat().map((sample): Call => ({ name, endpoint: call, sample })),
);

/** The positions of ids in the sample. */
export function idPlaceholdersOf({ params = {}, query = {}, body = {} }: Sample): IdPlaceholder[] {
  const placeholders: IdPlaceholder[] = [];
  visit({ params, query, body }, "", (ref, path) => placeholders.push({ path, ref }));
  return placeholders;
}

/** Positions of ids in the contract's schemas: integers with the maximum of a database key. */
export function idPathsOf({ params, query, body }: AnyEndpoint): string[] {
  return Object.entries({ params, query, body }).flatMap(([part, schema]) =>
    schema ? idPaths(z.toJSONSchema(schema, { unrepresentable: "any" }) as Json, part) : [],
  );
}

/** Creates the rows that the sample refers to, for this member. */
export async function makeRowsFor(sample: Sample, member: Member): Promise<ReadonlyMap<RowKind, Row>> {
  const rows = new Map<RowKind, Row>();
  for (const { ref } of idPlaceholdersOf(sample)) {
    rows.set(ref.kind, rows.get(ref.kind) ?? (await makeRow[ref.kind](member)));
  }
  return rows;
}

/** The input with the rows' ids; `instead` replaces the value at one position. */
export function fillSample(
  { params, query, body }: Sample,
  rows: ReadonlyMap<RowKind, Row>,
  instead?: { readonly path: string; readonly value: unknown },
): FilledCall {
  const filled = (value: Value, path: string): unknown => {
    if (value instanceof Ref) {
      return path === instead?.path ? instead.value : rows.get(value.kind)?.[value.field];
    }
    if (Array.isArray(value)) {
      return (value as readonly Value[]).map((item) => filled(item, `${path}[]`));
    }
    return typeof value === "object" && value !== null ? fieldsOf(value as Fields, path) : value;
  };
  const fieldsOf = (fields: Fields, path: string) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, filled(value, `${path}.${name}`)]));

  return {
    ...(params && { params: fieldsOf(params, "params") }),
    ...(query && { query: asText(fieldsOf(query, "query")) }),
    ...(body && { body: fieldsOf(body, "body") }),
  };
}

/** Creates the rows for this member and returns the input. */
export async function fillForMember(sample: Sample, member: Member): Promise<FilledCall> {
  return fillSample(sample, await makeRowsFor(sample, member));
}

/** Sends the call as this caller. */
export function send(caller: TestCaller, { endpoint: to, sample }: Call, filled: FilledCall): Promise<TestResponse> {
  const body = sample.file && to.files ? formOf(filled.body, to.files.field, sample.file) : filled.body;
  return caller.call(to, { ...filled, body } as never);
}

function visit(value: unknown, path: string, onRef: (ref: Ref, path: string) => void): void {
  if (value instanceof Ref) {
    onRef(value, path);
  } else if (Array.isArray(value)) {
    value.forEach((item) => visit(item, `${path}[]`, onRef));
  } else if (typeof value === "object" && value !== null) {
    Object.entries(value).forEach(([name, item]) => visit(item, path === "" ? name : `${path}.${name}`, onRef));
  }
}

interface Json {
  readonly type?: string;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly items?: Json;
  readonly anyOf?: readonly Json[];
  readonly oneOf?: readonly Json[];
}

const largestId = 2_147_483_647;

function idPaths(schema: Json, path: string): string[] {
  const { type, maximum = 0, properties = {}, items, anyOf = [], oneOf = [] } = schema;
  return [
    ...(type === "integer" && maximum >= largestId ? [path] : []),
    ...Object.entries(properties).flatMap(([name, each]) => idPaths(each, `${path}.${name}`)),
    ...(items ? idPaths(items, `${path}[]`) : []),
    ...[...anyOf, ...oneOf].flatMap((each) => idPaths(each, path)),
  ];
}

/** Lists in a query are sent as JSON. */
function asText(query: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? JSON.stringify(value) : value]),
  );
}

const files = {
  picture: [
    "foto.png",
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    ),
  ],
  text: ["horarios.txt", "Abrimos às 8 h."],
  chat: ["chat.txt", "12/03/2024 14:05 - Loja: Bom dia\n12/03/2024 14:06 - Ana: Oi\n"],
  table: ["contatos.csv", "name;number;email\nAna;5511912345678;\n"],
} as const;

function formOf(body: unknown, field: string, file: keyof typeof files): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) {
    form.set(name, String(value));
  }
  const [name, bytes] = files[file];
  form.set(field, new File([bytes], name));
  return form;
}

function isEndpoint(value: unknown): value is AnyEndpoint {
  return typeof value === "object" && value !== null && "method" in value && "access" in value;
}

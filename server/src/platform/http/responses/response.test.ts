import { expect, test } from "vitest";
import { z } from "zod";
import { endpoints } from "#server/testing/rights/calls.ts";
import { createSerializer, serializerOf } from "./response.ts";

const view = z.object({
  id: z.number(),
  name: z.string().nullable(),
  at: z.iso.datetime().nullable(),
  kind: z.enum(["a", "b"]).nullable(),
  owner: z.object({ id: z.number() }).nullable(),
  tags: z.array(z.object({ name: z.string() })),
  extra: z.record(z.string(), z.unknown()),
  loose: z.object({ id: z.number() }).loose(),
  maybe: z.string().optional(),
  either: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("text"), text: z.string() }),
    z.object({ kind: z.literal("file"), size: z.number() }),
  ]),
});
const value = {
  id: 1,
  name: null,
  at: new Date("2026-03-10T10:00:00.123Z"),
  kind: null,
  owner: { id: 2 },
  tags: [{ name: 'quote " and \u2028 and \u{1f600}' }],
  extra: { deep: { list: [1, null] } },
  loose: { id: 3, more: true },
  either: { kind: "file", size: 5 },
};

test.each([true, false])("writes what JSON would, with times as ISO text (strict: %s)", (isStrict) => {
  const text = createSerializer(view, { isStrict })(value);
  expect(JSON.parse(text.toString())).toEqual(JSON.parse(JSON.stringify(value)));
});

test.each([
  ["at the top", { ...value, password: "x" }, /answer\.password/],
  ["deep inside", { ...value, tags: [{ name: "n", secret: 1 }] }, /answer\.tags\.0\.secret/],
  ["in a branch of a union", { ...value, either: { kind: "file", size: 5, path: "/x" } }, /answer\.either\.path/],
])("a field that the contract does not know fails loudly %s", (_where, odd, message) => {
  expect(() => createSerializer(view, { isStrict: true })(odd)).toThrow(message);
});

test("in production such a field is left out, never leaked", () => {
  const text = createSerializer(view, { isStrict: false })({
    ...value,
    password: "x",
    tags: [{ name: "n", secret: 1 }],
  });
  expect(text).not.toMatch(/password|secret/);
});

test.each([
  ["a missing field", { ...value, id: undefined }],
  ["null where it may not be", { ...value, id: null }],
  ["a number as text", { ...value, id: "1" }],
  ["a word that the enum does not have", { ...value, kind: "c" }],
])("%s fails loudly", (_what, odd) => {
  expect(() => createSerializer(view, { isStrict: true })(odd)).toThrow();
});

test("arrays, literals and nothing at all are answers too", () => {
  expect(createSerializer(z.array(z.number()), { isStrict: true })([1, 2])).toBe("[1,2]");
  expect(createSerializer(z.literal("ok"), { isStrict: true })("ok")).toBe('"ok"');
  expect(createSerializer(z.object({ a: z.number() }).nullable(), { isStrict: true })(null)).toBe("null");
});

test("a schema that contains itself is written whole", () => {
  type Node = { name: string; children: Node[] };
  const node: z.ZodType<Node> = z.object({ name: z.string(), children: z.array(z.lazy(() => node)) });
  const tree = { name: "a", children: [{ name: "b", children: [] }] };
  expect(JSON.parse(createSerializer(node, { isStrict: true })(tree).toString())).toEqual(tree);
});

test("every answer of the contract has a serializer: each is compiled with its first response only", () => {
  expect([...endpoints].map(([, { response }]) => typeof serializerOf(response))).not.toContain("undefined");
  expect(endpoints.size).toBeGreaterThan(200);
});

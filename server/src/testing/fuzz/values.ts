import fc from "fast-check";

/** The parts of JSON Schema that the document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

export type Resolve = (schema: Schema) => Schema;

const words = [
  ...[
    "",
    " ",
    "null",
    "undefined",
    "NaN",
    "true",
    "0",
    "-1",
    "1.5",
    "1e400",
    "0x10",
    "٣",
    "2147483648",
    "[]",
    "{}",
    "[1,2",
  ],
  ...[
    "\0",
    "a\0b",
    "\ud800",
    "\udfffx",
    "\u202Eabc",
    "\uFEFF",
    "👩‍👩‍👧‍👦",
    "İ",
    "ß",
    "\r\n",
    "\u2028",
    "e\u0301",
    "漢".repeat(60),
  ],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "then", "toJSON"],
  ...["' or 1=1 --", "%", "%_\\", "\\", "*", "(", "[", "a+".repeat(20), "$1", "{{name}}", "{{", "${x}", "<script>"],
  ...[
    "../../etc/passwd",
    "%00",
    "..\\",
    "/",
    "C:\\",
    "file:///etc/passwd",
    "http://[::1",
    "http://127.0.0.1:1/",
    "https://a".padEnd(3000, "a"),
  ],
  ...["2026-02-30", "0000-00-00", "0001-01-01", "9999-12-31", "2026-01-31", "-271821-04-20", "275760-09-13"],
  ...[
    "2026-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999Z",
    "0000-01-01T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:00:00+99:99",
  ],
  ...["24:00", "23:59", "00:00", "Europe/Nowhere", "Etc/GMT+12", "pt", "#000000", "#fff", "rgb(1,2"],
  ...["a@b.co", `${"a".repeat(64)}@${"b".repeat(180)}.com`, "a@[127.0.0.1]", "5511999999999", "+", "0".repeat(40)],
  ...["8f14e45f-ceea-467f-a8d1-6b2f8a0b9d10", "00000000-0000-0000-0000-000000000000"],
];
const long = [201, 256, 1_001, 3_000, 10_000, 70_000].map((size) => "x".repeat(size));

/** Text that often breaks programs. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.constantFrom(...long) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
);

const oddNumber = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    -1,
    1,
    1.5,
    2 ** 31 - 1,
    2 ** 31,
    -(2 ** 31) - 1,
    2 ** 32,
    2 ** 53 - 1,
    2 ** 53,
    2 ** 63,
    1e21,
    1e300,
    5e-324,
  ),
  fc.integer({ min: -10, max: 100_000 }),
);

/** Deeply nested JSON. */
function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let at = 0; at < depth; at += 1) {
    value = at % 2 === 0 ? [value] : { a: value };
  }
  return value;
}

/** Any value, regardless of the schema. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 4, arbitrary: oddNumber },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], { id: 1 }, { length: -1 }, [
      "__proto__",
    ]),
  },
  { weight: 1, arbitrary: fc.constantFrom(3, 40, 120, 2_000).map(nested) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(101, 600, 5_000).map((size) => Array.from({ length: size }, (_, at) => at + 1)),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Values that the schema allows, with its limits as likely as other values. */
export function valueOf(given: Schema, resolve: Resolve, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  if (schema.const !== undefined) {
    return fc.constant(schema.const);
  }
  if (schema.enum) {
    return fc.constantFrom(...schema.enum);
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) {
    return fc.oneof(...branches.map((branch) => valueOf(branch, resolve, depth)));
  }
  const type = Array.isArray(schema.type) ? (schema.type as readonly string[])[0] : schema.type;
  switch (type) {
    case "string":
      return textOf(schema);
    case "integer":
    case "number":
      return numberOf(schema, type);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return depth > 3
        ? fc.constant([])
        : fc.array(valueOf(schema.items ?? {}, resolve, depth + 1), { maxLength: Math.min(3, schema.maxItems ?? 3) });
    case "object":
      return depth > 3 ? fc.constant({}) : objectOf(schema, resolve, depth);
    default:
      return oddValue;
  }
}

function objectOf(schema: Schema, resolve: Resolve, depth: number): fc.Arbitrary<unknown> {
  const parts = Object.entries(schema.properties ?? {}).map(([name, part]) => [
    name,
    valueOf(part, resolve, depth + 1),
  ]);
  return fc.record(Object.fromEntries(parts) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [...(schema.required ?? [])].filter((name) => Object.hasOwn(schema.properties ?? {}, name)),
  });
}

function textOf({ minLength = 0, maxLength = 100_000, format }: Schema): fc.Arbitrary<string> {
  const some = oddText.map((text) => text.padEnd(minLength, "x").slice(0, maxLength));
  switch (format) {
    case "date":
      return fc.oneof(fc.constantFrom("2026-01-31", "0001-01-01", "9999-12-31"), some);
    case "date-time":
      return fc.oneof(fc.constantFrom("2026-01-31T12:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"), some);
    case "uuid":
      return fc.oneof(fc.uuid(), some);
    case "email":
      return fc.oneof(fc.constantFrom("a@b.co", "ana@example.com"), some);
    case "uri":
      return fc.oneof(
        fc.constantFrom("https://example.com/a?b=c", "http://10.0.0.1/", "https://münchen.example/"),
        some,
      );
    default:
      return some;
  }
}

function numberOf({ minimum = -1e9, maximum = 1e9 }: Schema, type: "integer" | "number"): fc.Arbitrary<number> {
  const [least, most] = [Math.max(minimum, Number.MIN_SAFE_INTEGER), Math.min(maximum, Number.MAX_SAFE_INTEGER)];
  const whole = fc.oneof(
    fc.constantFrom(least, most),
    fc.integer({ min: Math.ceil(least), max: Math.floor(Math.min(most, Math.max(least, 50))) }),
  );
  return type === "integer"
    ? whole
    : fc.oneof(
        whole,
        whole.map((value) => Math.min(most, value + 0.5)),
      );
}

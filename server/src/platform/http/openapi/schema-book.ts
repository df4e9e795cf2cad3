import { z } from "zod";

export type Json = Record<string, unknown>;
export type Direction = "input" | "output";

/** Component schemas of a document: exports of the contract keep their names, other schemas get `otherwise`. */
export interface SchemaBook {
  /** A reference to the component of the schema, which is added on first use. */
  ref(schema: z.ZodType, direction: Direction, otherwise: string): Json;
  /** The schema itself, with references to named parts. */
  inline(schema: z.ZodType, direction: Direction, otherwise: string): Json;
  /** Components so far, by name. */
  readonly entries: Readonly<Record<string, Json>>;
}

/** `names` are the exports of a module; those that are schemas become components of that name. */
export function createSchemaBook(names: Readonly<Record<string, unknown>>): SchemaBook {
  const known = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(names)) {
    // A schema exported twice keeps its first name.
    if (schema instanceof z.ZodType && !known.has(schema)) {
      known.add(schema, { id: pascal(name) });
    }
  }
  const entries: Record<string, Json> = {};

  /** A schema may have an input and an output form (defaults, coercion). Equal forms share the component. */
  function addComponent(name: string, direction: Direction, schema: Json): string {
    for (const candidate of direction === "output" ? [name, `${name}Answer`] : [name, `${name}Input`]) {
      entries[candidate] ??= schema;
      if (JSON.stringify(entries[candidate]) === JSON.stringify(schema)) {
        return candidate;
      }
    }
    throw new Error(`The schema ${name} has two forms of the same direction`);
  }

  function make(schema: z.ZodType, direction: Direction, otherwise: string, isWhole: boolean): Json {
    const made = z.toJSONSchema(schema, { io: direction, unrepresentable: "any", metadata: known }) as Json;
    const { $schema: _, $defs = {}, ...root } = made as Json & { $defs?: Record<string, Json> };
    const pending = new Map(Object.entries($defs));
    const nameOfDef = new Map<string, string>();

    // Components refer to each other: one is added after those that it refers to.
    const nameOf = (def: string): string => {
      const found = nameOfDef.get(def);
      if (found !== undefined) {
        return found;
      }
      const name = def.startsWith("__schema") ? `${otherwise}Part${def.slice(8)}` : def;
      const body = pending.get(def) ?? {};
      if (mentions(body, def)) {
        // A recursive schema needs its name before its body.
        const own = direction === "output" ? name : `${name}Input`;
        nameOfDef.set(def, own);
        entries[own] ??= rewritten(body) as Json;
        return own;
      }
      const own = addComponent(name, direction, rewritten(body) as Json);
      nameOfDef.set(def, own);
      return own;
    };
    const rewritten = (value: unknown): unknown => {
      if (Array.isArray(value)) {
        return value.map(rewritten);
      }
      if (typeof value !== "object" || value === null) {
        return value;
      }
      return Object.fromEntries(
        Object.entries(value)
          // A later release may add response fields, which must not break a generated client.
          .filter(([key, part]) => !(direction === "output" && key === "additionalProperties" && part === false))
          .map(([key, part]) =>
            key === "$ref" && typeof part === "string" && part.startsWith("#/$defs/")
              ? [key, `#/components/schemas/${nameOf(part.slice(8))}`]
              : [key, rewritten(part)],
          ),
      );
    };
    const named = typeof root["$ref"] === "string" ? pending.get(root["$ref"].slice(8)) : undefined;
    return rewritten(isWhole && named ? named : root) as Json;
  }

  return {
    entries,
    inline: (schema, direction, otherwise) => make(schema, direction, otherwise, true),
    ref(schema, direction, otherwise) {
      const body = make(schema, direction, otherwise, false);
      if (typeof body["$ref"] === "string" && Object.keys(body).length === 1) {
        return body;
      }
      return { $ref: `#/components/schemas/${addComponent(otherwise, direction, body)}` };
    },
  };
}

function mentions(value: unknown, def: string): boolean {
  return JSON.stringify(value).includes(`"#/$defs/${def}"`);
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

import { z } from "zod";

export type Json = Record<string, unknown>;
export type Direction = "input" | "output";

/** The named schemas of a document: what the contract exports has its name there, everything else the name it is given. */
export interface SchemaBook {
  /** A reference to the schema's own entry, made when first asked for. */
  ref(schema: z.ZodType, direction: Direction, otherwise: string): Json;
  /** What the schema consists of, its named parts as references. */
  inline(schema: z.ZodType, direction: Direction, otherwise: string): Json;
  /** Every entry so far, by name. */
  readonly entries: Readonly<Record<string, Json>>;
}

/** `names` are the exports of a module: those that are schemas are entries under their names. */
export function createSchemaBook(names: Readonly<Record<string, unknown>>): SchemaBook {
  const known = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(names)) {
    // Two names for one schema: the first keeps it.
    if (schema instanceof z.ZodType && !known.has(schema)) {
      known.add(schema, { id: pascal(name) });
    }
  }
  const entries: Record<string, Json> = {};

  /** One name may stand for two forms: before defaults and coercion, and after. Alike, they share the entry. */
  function enter(name: string, direction: Direction, schema: Json): string {
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

    // Entries refer to each other: an entry is written once those that it names have their names.
    const nameOf = (def: string): string => {
      const found = nameOfDef.get(def);
      if (found !== undefined) {
        return found;
      }
      const wanted = def.startsWith("__schema") ? `${otherwise}Part${def.slice(8)}` : def;
      const body = pending.get(def) ?? {};
      if (mentions(body, def)) {
        // It contains itself, so its name must stand before its body.
        const own = direction === "output" ? wanted : `${wanted}Input`;
        nameOfDef.set(def, own);
        entries[own] ??= rewritten(body) as Json;
        return own;
      }
      const own = enter(wanted, direction, rewritten(body) as Json);
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
          // What an answer may carry besides tomorrow must not break a client of today.
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
      return { $ref: `#/components/schemas/${enter(otherwise, direction, body)}` };
    },
  };
}

function mentions(value: unknown, def: string): boolean {
  return JSON.stringify(value).includes(`"#/$defs/${def}"`);
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

import { z } from "zod";

/** Pages start at 1; sizes of behaviour 1. */
export const pageSize = { tickets: 40, kanban: 40, messages: 20, contacts: 30, others: 20 } as const;

/** Maximum of rows in one bulk action; a larger one is refused as a whole. */
export const maxBulkSize = 100;

export const id = z.coerce.number().int().positive().max(2_147_483_647);
/** Id in a list filter; 0 means none, for example no queue. */
export const idOrNone = z.coerce.number().int().min(0).max(2_147_483_647);
/** Made by the client for a record whose form outlives `Idempotency-Key`: sent again with it, it is the first one (decision 0298). */
export const clientId = z.string().min(8).max(64).optional();
export const longId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);
export const pageNumber = z.coerce.number().int().min(1).max(100_000).default(1);
/** Letters of a search at the most. */
export const maxSearchLetters = 200;
export const searchParam = z
  .string()
  .max(maxSearchLetters)
  .default("")
  .transform((text) => text.trim().toLowerCase());
/** A time: ISO 8601 in UTC. */
export const instant = z.iso.datetime({ offset: true });
/** A calendar day, in the company's time zone. There is no year 0, here or in PostgreSQL. */
export const day = z.iso.date().refine((text) => !text.startsWith("0000"), "Invalid date");
/** Day of a filter; "" is none. */
export const dayOrNone = z.union([z.literal(""), day]).default("");
export const color = z.string().min(3, "Too Short!").max(9, "Too Long!");
export const name2to50 = z.string().trim().min(2, "Too Short!").max(50, "Too Long!");
export const emailAddress = z.string().trim().toLowerCase().max(200).pipe(z.email("Invalid email"));
/** An http(s) URL of another server. */
export const webAddress = z
  .string()
  .trim()
  .max(2000)
  .pipe(z.url({ protocol: /^https?$/, error: "Invalid address" }));
/**
 * An API token as somebody saves it. Absent or empty: unchanged, because forms do not know the stored one; null: removed
 * (decision 0149).
 */
export const newToken = z.string().trim().max(200, "Too Long!").nullish();
/** Value of an on/off setting (specification 2 section 9). */
export const toggle = z.enum(["enabled", "disabled"]);

/** For transforms: what the text says as JSON; otherwise adds an issue with this message. */
export function parseJson(text: string, context: z.RefinementCtx, message: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }
}

/** A query parameter that contains a JSON array, like the filters of GET /tickets (T-05), or is repeated. */
// @__NO_SIDE_EFFECTS__
export function jsonArray<T extends z.ZodType>(item: T) {
  return z
    .union([z.string().max(4000), z.array(z.string().max(100)).max(500)])
    .default("[]")
    .transform((given, context): unknown => {
      const parsed = typeof given === "string" ? parseJson(given || "[]", context, "Not a JSON array") : given;
      return Array.isArray(parsed) ? parsed : [parsed];
    })
    .pipe(z.array(item).max(500));
}

/** Boolean query parameter: `?showAll=true`. */
export const booleanText = z
  .enum(["true", "false", "1", "0", ""])
  .default("false")
  .transform((text) => text === "true" || text === "1");

/** Schema of paged responses: `{ <items>, count, hasMore }`. */
// @__NO_SIDE_EFFECTS__
export function paged<K extends string, T extends z.ZodType>(key: K, item: T) {
  return z.object({ [key]: z.array(item), count: z.number().int(), hasMore: z.boolean() } as {
    [P in K]: z.ZodArray<T>;
  } & { count: z.ZodNumber; hasMore: z.ZodBoolean });
}

type WithoutDefault<T extends z.ZodType> = T extends z.ZodDefault<infer Inner extends z.ZodType> ? Inner : T;

/** Fields that an update may leave out, but not empty: a new record requires them. */
export const requiredFields = z.registry<{ readonly isRequired: true }>();

/**
 * Schema of an update: all fields are optional, and absent ones stay unchanged. `.partial()` alone would apply the defaults
 * of new records to every update.
 */
// @__NO_SIDE_EFFECTS__
export function changesOf<S extends Readonly<Record<string, z.ZodType>>>(schema: z.ZodObject<S>) {
  const fields = Object.entries(schema.shape).map(([name, field]) => {
    const change = (field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : field).optional();
    const isRequired = !(field instanceof z.ZodDefault || field instanceof z.ZodOptional);
    return [name, isRequired ? change.register(requiredFields, { isRequired }) : change];
  });
  return z.object(Object.fromEntries(fields) as { [K in keyof S]: z.ZodOptional<WithoutDefault<S[K]>> });
}

export const idParams = z.object({ id });
export const done = z.object({ message: z.string() });
export const nothing = z.object({});
/** Phone number as WhatsApp stores it: digits with country code. */
export const digits = z.string().transform((text) => text.replace(/\D/g, ""));

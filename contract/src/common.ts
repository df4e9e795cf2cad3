import { z } from "zod";

/** Pages start at 1; sizes of behaviour 1. */
export const pageSize = { tickets: 40, kanban: 40, messages: 20, contacts: 30, others: 20 } as const;

/** As many rows one action takes at once; more is refused as a whole. */
export const maxBulkSize = 100;

export const id = z.coerce.number().int().positive().max(2_147_483_647);
/** A row of a list's filter, 0 for "none": "no queue". */
export const idOrNone = z.coerce.number().int().min(0).max(2_147_483_647);
export const longId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);
export const pageNumber = z.coerce.number().int().min(1).max(100_000).default(1);
export const searchParam = z
  .string()
  .max(200)
  .default("")
  .transform((text) => text.trim().toLowerCase());
/** Times travel as ISO 8601 in UTC. */
export const instant = z.iso.datetime({ offset: true });
/** A calendar day, in the company's time zone. There is no year 0, here or in PostgreSQL. */
export const day = z.iso.date().refine((text) => !text.startsWith("0000"), "Invalid date");
/** A filter's day; "" is none. */
export const dayOrNone = z.union([z.literal(""), day]).default("");
export const color = z.string().min(3, "Too Short!").max(9, "Too Long!");
export const name2to50 = z.string().trim().min(2, "Too Short!").max(50, "Too Long!");
export const emailAddress = z.string().trim().toLowerCase().max(200).pipe(z.email("Invalid email"));
/** An address of the web that another server is called at. */
export const webAddress = z
  .string()
  .trim()
  .max(2000)
  .pipe(z.url({ protocol: /^https?$/, error: "Invalid address" }));
/** "enabled" / "disabled", as the settings of specification 2 section 9 are kept. */
export const toggle = z.enum(["enabled", "disabled"]);

/** A query value that holds a JSON array, as GET /tickets carries its filters (T-05). */
export function jsonArray<T extends z.ZodType>(item: T) {
  return z
    .string()
    .max(4000)
    .default("[]")
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text === "" ? "[]" : text);
      } catch {
        context.addIssue({ code: "custom", message: "Not a JSON array" });
        return z.NEVER;
      }
    })
    .pipe(z.array(item).max(500));
}

/** `?showAll=true` and the like. */
export const booleanText = z
  .enum(["true", "false", "1", "0", ""])
  .default("false")
  .transform((text) => text === "true" || text === "1");

/** The shape of every paged answer: `{ <items>, count, hasMore }`. */
export function paged<K extends string, T extends z.ZodType>(key: K, item: T) {
  return z.object({ [key]: z.array(item), count: z.number().int(), hasMore: z.boolean() } as {
    [P in K]: z.ZodArray<T>;
  } & { count: z.ZodNumber; hasMore: z.ZodBoolean });
}

type WithoutDefault<T extends z.ZodType> = T extends z.ZodDefault<infer Inner extends z.ZodType> ? Inner : T;

/**
 * The schema of a change to what `schema` makes: each field may be absent and then stays as it is. `.partial()` alone
 * would fill the defaults of new things into every change.
 */
export function changesOf<S extends Readonly<Record<string, z.ZodType>>>(schema: z.ZodObject<S>) {
  const fields = Object.entries(schema.shape).map(([name, field]) => [
    name,
    (field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : field).optional(),
  ]);
  return z.object(Object.fromEntries(fields) as { [K in keyof S]: z.ZodOptional<WithoutDefault<S[K]>> });
}

export const idParams = z.object({ id });
export const done = z.object({ message: z.string() });
export const nothing = z.object({});
/** Brazilian and foreign numbers as WhatsApp keeps them: digits with country code, no mask. */
export const digits = z.string().transform((text) => text.replace(/\D/g, ""));

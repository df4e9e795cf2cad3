import { id, instantOf, longId, requiredFields, wallClockOf } from "@prosa/contract";
import { z } from "zod";

/**
 * Other clients of the family write values in their own dress: an empty id as "" or 0, digits as a number, a time without a
 * zone (behaviour 1, decision 0150). This rewrites a body as its schema means it, before the schema parses it; what it
 * does not understand stays as it is, for the schema to refuse. `undefined` is a value that was not given.
 */
export type GuestInput = (value: unknown, timeZone: string) => unknown;

interface Place {
  readonly isNullable: boolean;
  /** It has a default, or may be left out. */
  readonly isOptional: boolean;
}
type Node = z.core.$ZodType;

/** Compiles the reading of a schema, once at start. */
export function compileGuestInput(schema: z.ZodType): GuestInput {
  return compile(schema, { isNullable: false, isOptional: false });
}

/** A query, of which an empty value, and one that a client's template filled with `undefined` or `null`, was not given. */
export function readGuestQuery(query: unknown): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(query ?? {})) {
    // Somebody may be called Null.
    const isNone = value === "" || value === "undefined" || (value === "null" && key !== "searchParam");
    if (!isNone) {
      // `tags[]=1&tags[]=2` is how some clients repeat a parameter.
      given[key.replace(/\[\]$/u, "")] = key.endsWith("[]") && !Array.isArray(value) ? [value] : value;
    }
  }
  return given;
}

function compile(schema: Node, place: Place): GuestInput {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
      return compile(def.innerType, { ...place, isOptional: !requiredFields.has(schema as z.ZodType) });
    case "default":
    case "prefault":
      return compile(def.innerType, { ...place, isOptional: true });
    case "nullable":
      return compile(def.innerType, { ...place, isNullable: true });
    case "readonly":
      return compile(def.innerType, place);
    case "pipe":
      return compile(def.in, place);
    case "object":
      return orNone(place, objectInput(def.shape, place));
    case "array":
      return orNone(place, arrayInput(def, place));
    case "union":
      return unionInput(def.options, place);
    case "string":
      return orNone(place, stringInput(schema, "format" in def ? def.format : undefined, place));
    case "number":
      return schema === id || schema === longId ? idInput(place) : requiredOr(place, numberInput(place));
    case "boolean":
      return orNone(place, booleanInput(place));
    case "enum":
      return orNone(place, choiceInput(Object.values(def.entries), place));
    case "literal":
      return orNone(place, choiceInput(def.values, place));
    default:
      return (value) => value;
  }
}

/** Null, where it has no meaning of its own, is a value that was not given. */
function orNone({ isNullable }: Place, read: GuestInput): GuestInput {
  return (value, timeZone) => {
    if (value === null) {
      return isNullable ? null : undefined;
    }
    return read(value, timeZone);
  };
}

/** A required number is not left out by null: its schema refuses it, in a change as well. */
function requiredOr(place: Place, read: GuestInput): GuestInput {
  const optional = orNone(place, read);
  return (value, timeZone) =>
    value === null && !place.isNullable && !place.isOptional ? value : optional(value, timeZone);
}

function objectInput(shape: Readonly<Record<string, Node>>, place: Place): GuestInput {
  const fields = Object.entries(shape).map(
    ([key, field]) => [key, compile(field, { isNullable: false, isOptional: false })] as const,
  );
  return (value, timeZone) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return isUnchosen(value, place) ? noneOf(place) : value;
    }
    const read: Record<string, unknown> = { ...value };
    for (const [key, field] of fields) {
      if (Object.hasOwn(read, key)) {
        read[key] = field(read[key], timeZone);
      }
      if (read[key] === undefined) {
        Reflect.deleteProperty(read, key);
      }
    }
    return read;
  };
}

/**
 * Also as JSON text, and a single one alone, as forms send them. Empty ids are left out. A table of a fixed length, such as
 * the hours of a week, that comes empty was not filled in.
 */
function arrayInput({ element, checks = [] }: z.core.$ZodArrayDef, { isOptional }: Place): GuestInput {
  const isTable = checks.some(({ _zod }) => _zod.def.check === "length_equals");
  const readItem = compile(element, { isNullable: false, isOptional: false });
  return (value, timeZone) => {
    const items = typeof value === "string" ? itemsOfText(value) : value;
    if (!Array.isArray(items)) {
      return value;
    }
    return isTable && isOptional && items.length === 0
      ? undefined
      : items.map((item) => readItem(item, timeZone)).filter((item) => item !== undefined);
  };
}

function itemsOfText(text: string): unknown {
  try {
    const value: unknown = text.trim() === "" ? [] : JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return text;
  }
}

/** The first alternative that takes the value as it is, or else as it reads it. */
function unionInput(options: readonly Node[], place: Place): GuestInput {
  const isNullable = place.isNullable || options.some((option) => z.safeParse(option, null).success);
  const readers = options.map((option) => [option, compile(option, { ...place, isNullable: false })] as const);
  return orNone({ ...place, isNullable }, (value, timeZone) => {
    if (options.some((option) => z.safeParse(option, value).success)) {
      return value;
    }
    for (const [option, read] of readers) {
      const meant = read(value, timeZone);
      if (meant === undefined ? place.isOptional : z.safeParse(option, meant).success) {
        return meant;
      }
    }
    return isUnchosen(value, place) ? noneOf(place) : value;
  });
}

const emptyIds = new Set<unknown>([null, false, 0, -1, "", "0", "-1", "null", "undefined", "false"]);

/** A reference: an empty one is none where there may be none, and otherwise "", which its schema refuses as missing. */
function idInput(place: Place): GuestInput {
  return (value) => {
    const given = typeof value === "string" ? value.trim() : value;
    if (emptyIds.has(given)) {
      return place.isNullable || place.isOptional ? noneOf(place) : "";
    }
    // The schema would take true for 1.
    return value === true ? "true" : value;
  };
}

const absentWords = new Set(["", "null", "undefined"]);

/** What was not chosen in a form comes as "": absent where that is allowed. */
function isUnchosen(value: unknown, { isOptional, isNullable }: Place): boolean {
  return (isOptional || isNullable) && typeof value === "string" && absentWords.has(value.trim());
}

function noneOf({ isNullable }: Place): null | undefined {
  return isNullable ? null : undefined;
}

const brazilianNumber = /^-?\d{1,3}(\.\d{3})+,\d+$|^-?\d+,\d+$/u;

/** "12", "1.099,90" */
function numberInput(place: Place): GuestInput {
  return (value) => {
    if (isUnchosen(value, place)) {
      return noneOf(place);
    }
    if (typeof value !== "string" || value.trim() === "") {
      return value;
    }
    const text = brazilianNumber.test(value.trim()) ? value.replaceAll(".", "").replace(",", ".") : value;
    const number = Number(text);
    return Number.isNaN(number) ? value : number;
  };
}

const yes = new Set<unknown>([true, 1, "true", "1", "enabled", "enable", "on"]);
const no = new Set<unknown>([false, 0, "false", "0", "disabled", "desabled", "disable", "off"]);

function booleanInput(place: Place): GuestInput {
  return (value) => {
    if (isUnchosen(value, place)) {
      return noneOf(place);
    }
    return yes.has(value) ? true : no.has(value) ? false : value;
  };
}

/** One of some words or numbers: also as the other kind, and a switch (enabled, 1) by any of its words. */
function choiceInput(choices: readonly unknown[], place: Place): GuestInput {
  return (value) => {
    if (choices.includes(value)) {
      return value;
    }
    if (isUnchosen(value, place)) {
      return noneOf(place);
    }
    const sameWord = choices.find((choice) => choice !== null && String(choice) === String(value));
    if (sameWord !== undefined) {
      return sameWord;
    }
    const synonyms = yes.has(value) ? yes : no.has(value) ? no : new Set();
    return choices.find((choice) => synonyms.has(choice)) ?? value;
  };
}

function stringInput(schema: Node, format: unknown, place: Place): GuestInput {
  if (format === "datetime") {
    return (value, timeZone) => (isUnchosen(value, place) ? noneOf(place) : instantInput(value, timeZone));
  }
  if (format === "date") {
    return (value, timeZone) => (isUnchosen(value, place) ? noneOf(place) : dayInput(value, timeZone));
  }
  // Forms hold "" for null: `startTime2` of a day with one range of hours.
  const isEmptyNone = place.isNullable && !z.safeParse(schema, "").success;
  return (value) => {
    if (isEmptyNone && value === "") {
      return null;
    }
    return typeof value === "number" && Number.isFinite(value) ? String(value) : value;
  };
}

const dayAndTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?(Z|[+-]\d\d:?\d\d)?$/u;

/** A time without a zone is the company's. */
function instantInput(value: unknown, timeZone: string): unknown {
  const [, day = "", time = "", zone] = (typeof value === "string" && dayAndTime.exec(value)) || [];
  // `Date` would read February 30 as March 2.
  if (!isDay(day)) {
    return value;
  }
  const at = zone === undefined ? instantOf(`${day}T${time}`, timeZone) : new Date(`${day}T${time}${zone}`);
  return at === undefined || Number.isNaN(at.getTime()) ? value : at.toISOString();
}

function isDay(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}

/** A browser's date input as JSON: midnight UTC is the day itself, in every zone. */
const midnightUtc = /^(\d{4}-\d\d-\d\d)T00:00(?::00(?:\.0+)?)?Z$/u;

/** Of a time only its day, as the company's calendar has it. */
function dayInput(value: unknown, timeZone: string): unknown {
  if (typeof value !== "string" || !dayAndTime.test(value)) {
    return value;
  }
  const [, day] = midnightUtc.exec(value) ?? [];
  if (day !== undefined) {
    return day;
  }
  const at = new Date(String(instantInput(value, timeZone)));
  return Number.isNaN(at.getTime()) ? value : wallClockOf(at, timeZone).slice(0, 10);
}

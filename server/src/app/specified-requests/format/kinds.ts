/**
 * What an answer holds. A description is a value, an object of at least these fields, a list of exactly these rows, or a
 * kind of value from below. What an answer has beyond the specification is nobody's business here.
 */

/** A kind of value, named as a failure prints it. `Inner` descriptions may name kept values. */
export class Kind {
  readonly name: string;
  readonly inner: unknown;
  readonly fits: (value: unknown, inner: unknown) => boolean;
  constructor(name: string, fits: (value: unknown, inner: unknown) => boolean, inner?: unknown) {
    this.name = name;
    this.fits = fits;
    this.inner = inner;
  }
  /** The same kind with its inner description changed. */
  with(inner: unknown): Kind {
    return new Kind(this.name, this.fits, inner);
  }
}

export const number = new Kind("a number", (value) => typeof value === "number");
export const flag = new Kind("true or false", (value) => typeof value === "boolean");
export const text = new Kind("a text", (value) => typeof value === "string");
export const someText = matching("a text with a letter", /\S/u);
/** A time: ISO 8601 with its zone. */
export const time = matching("a time with zone", /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/u);
/** An address that a client elsewhere can fetch. */
export const address = matching("an absolute address", /^https?:\/\/[^/]+\/\S+$/u);
/** Words for people: several, without a code, a field's name in the request, or the words of a schema. */
export const sentence = matching(
  "a sentence for people",
  /^(?!.*(ERR_|[Ee]xpected|received|Invalid input|Too small|Too big))\p{Lu}\S* .*\S$/u,
);
/** A sentence with these words of the specification in it. */
export const saying = (words: string) =>
  new Kind(`a sentence with "${words}"`, (value) => isLike(sentence, value) && String(value).includes(words));

/** A day, with or without a time. */
export const day = (date: string) => matching(`the day ${date}`, new RegExp(`^${date}`, "u"));
export const without = (word: string) =>
  new Kind(`a text without "${word}"`, (value) => typeof value === "string" && !value.includes(word));
/** This, or null. */
export const maybe = (inner: unknown) =>
  new Kind("null, or else", (value, of) => value === null || isLike(of, value), inner);
/** A list in which one is like this. */
export const some = (inner: unknown) =>
  new Kind("a list with one like", (value, of) => Array.isArray(value) && value.some((row) => isLike(of, row)), inner);
/** A list in which none is like this. */
export const none = (inner: unknown) =>
  new Kind(
    "a list with none like",
    (value, of) => Array.isArray(value) && !value.some((row) => isLike(of, row)),
    inner,
  );
/** A list, perhaps empty, in which all are like this. */
export const every = (inner: unknown) =>
  new Kind("a list of", (value, of) => Array.isArray(value) && value.every((row) => isLike(of, row)), inner);
/** A text that is JSON of this. */
export const jsonText = (inner: unknown) =>
  new Kind("JSON text of", (value, of) => typeof value === "string" && isLike(of, JSON.parse(value)), inner);

/** Body of a refusal (behaviour 1): a code, and a sentence for people. */
export function refusal(code: string): unknown {
  return { error: code, message: sentence, requestId: someText };
}

/** Where a value is not as described: `["contact.name: wanted a text, got undefined"]`. */
export function mismatches(of: unknown, value: unknown, place = "answer"): string[] {
  const got = () => `got ${(JSON.stringify(value) as string | undefined)?.slice(0, 600)}`;
  if (of instanceof Kind) {
    const inner = of.inner === undefined ? "" : ` ${describe(of.inner)}`;
    return of.fits(value, of.inner)
      ? []
      : [`${place}: wanted ${of.name}${inner}, ${got()}`, ...nearest(of, value, place)];
  }
  if (Array.isArray(of)) {
    return Array.isArray(value) && value.length === of.length
      ? of.flatMap((row, index) => mismatches(row, value[index], `${place}.${index}`))
      : [`${place}: wanted ${of.length} rows, ${got()}`];
  }
  if (typeof of === "object" && of !== null) {
    return typeof value === "object" && value !== null
      ? Object.entries(of).flatMap(([name, field]) =>
          mismatches(field, (value as Record<string, unknown>)[name], `${place}.${name}`),
        )
      : [`${place}: wanted ${describe(of)}, ${got()}`];
  }
  return Object.is(of, value) ? [] : [`${place}: wanted ${describe(of)}, ${got()}`];
}

/** What is wrong with the row of a list that comes nearest, or with the value inside. */
function nearest(of: Kind, value: unknown, place: string): string[] {
  if (of.inner === undefined || of.name.startsWith("a list with none")) {
    return [];
  }
  const rows = Array.isArray(value) ? value : [value];
  const wrong = rows.map((row) => mismatches(of.inner, row, `${place}[]`)).filter((found) => found.length > 0);
  return wrong.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

function isLike(of: unknown, value: unknown): boolean {
  return mismatches(of, value).length === 0;
}

function describe(of: unknown): string {
  return JSON.stringify(of, (_, each: unknown) => (each instanceof Kind ? `<${each.name}>` : each)).slice(0, 200);
}

function matching(name: string, pattern: RegExp): Kind {
  return new Kind(name, (value) => typeof value === "string" && pattern.test(value));
}

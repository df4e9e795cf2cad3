import pg from "pg";

const { builtins } = pg.types;
const BIGINT_ARRAY = 1016;
const NUMERIC_ARRAY = 1231;
const DATE_ARRAY = 1182;

/**
 * How column values become JavaScript: bigint and numeric as number (ids stay far below 2^53), timestamptz as Date,
 * date as "YYYY-MM-DD" (a day has no time zone), jsonb parsed.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (format !== "binary") {
      const parse = PARSERS.get(oid);
      if (parse) {
        return parse;
      }
    }
    return pg.types.getTypeParser(oid, format);
  },
};

/** Arrays of one dimension whose items need no quotes. */
function parseItems<T>(text: string, parse: (item: string) => T): (T | null)[] {
  return text === "{}"
    ? []
    : text
        .slice(1, -1)
        .split(",")
        .map((item) => (item === "NULL" ? null : parse(item)));
}

const PARSERS = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.DATE, String],
  [BIGINT_ARRAY, (text) => parseItems(text, Number)],
  [NUMERIC_ARRAY, (text) => parseItems(text, Number)],
  [DATE_ARRAY, (text) => parseItems(text, String)],
]);

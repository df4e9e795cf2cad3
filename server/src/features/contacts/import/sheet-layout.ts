import type { ColumnRole, ImportColumns, SheetPreview } from "@prosa/contract";
import { meaningsOf, otherNameRank } from "./heading-words.ts";
import type { HeadingMeaning } from "./heading-words.ts";
import { looksLikeNumber } from "./sheet-number.ts";

type Table = readonly (readonly string[])[];

/** What the columns of a sheet seem to be. */
export interface SheetLayout extends ImportColumns {
  /** Why a person must say it; null if the headings do. */
  readonly unclear: SheetPreview["unclear"];
}

/** A column as far as the guess needs it. */
interface Column {
  readonly index: number;
  readonly heading: string;
  readonly meanings: readonly HeadingMeaning[];
  readonly filled: number;
  readonly numbers: number;
  readonly emails: number;
  readonly words: number;
}

/** Rows among which the headings are sought: a title, a date and blank lines may stand above them. */
const maxLinesAbove = 30;
/** Rows whose cells are looked at for a guess. */
const maxRowsLookedAt = 2_000;

/** Finds the headings of a sheet, below a title too, and what its columns are. Pure. */
export function layoutOf(table: Table): SheetLayout {
  const headingLine = findHeadings(table);
  const columns = describeColumns(table, headingLine);
  if (headingLine === null) {
    const guessed = guessHeadingLine(table);
    return { headingLine: guessed, roles: rolesByContent(describeColumns(table, guessed)), unclear: "headings" };
  }
  const numbers = numberColumns(columns);
  const [email] = columns.filter(isMeant("email")).toSorted((a, b) => b.emails - a.emails);
  const names = nameRoles(columns.filter((column) => column !== numbers[0] && column.numbers <= column.filled / 2));
  const areaCode = columns.find(isMeant("areaCode"));
  const roleOf = new Map<Column | undefined, ColumnRole>([
    ...names,
    [areaCode, "areaCode"],
    [email, "email"],
    [numbers[0], "number"],
  ]);
  const roles = columns.map((column) => roleOf.get(column) ?? "ignore");
  const unclear = numbers.length === 0 ? "number" : numbers.length > 1 ? "numbers" : names.size === 0 ? "name" : null;
  return { headingLine, roles, unclear };
}

/** The line whose cells name the most different things, from 1; null if none names a number, or two others. */
function findHeadings(table: Table): number | null {
  const scores = table.slice(0, maxLinesAbove).map((cells) => {
    const named = new Set(cells.filter((cell) => cell.length <= 60).map((cell) => kindOf(meaningsOf(cell))));
    named.delete(undefined);
    return named.size + (named.has("number") ? 0.5 : 0);
  });
  const best = Math.max(0, ...scores);
  return best >= 1.5 ? scores.indexOf(best) + 1 : null;
}

function kindOf(meanings: readonly HeadingMeaning[]): "name" | "lastName" | "number" | "email" | undefined {
  switch (meanings[0]) {
    case "fullName":
    case "firstName":
    case "otherName":
      return "name";
    case "middleName":
    case "lastName":
      return "lastName";
    case "email":
      return "email";
    case undefined:
      return undefined;
    case "areaCode":
      return undefined;
    default:
      return "number";
  }
}

/** Without known words: a first line without numbers above lines with them is a line of headings. */
function guessHeadingLine(table: Table): number | null {
  const [first, second] = table.flatMap((cells, index) => (cells.some((cell) => cell.trim() !== "") ? [index] : []));
  const hasNumber = (index: number | undefined) => index !== undefined && (table[index] ?? []).some(looksLikeNumber);
  return first !== undefined && !hasNumber(first) && hasNumber(second) ? first + 1 : null;
}

function describeColumns(table: Table, headingLine: number | null): Column[] {
  const headings = headingLine === null ? [] : (table[headingLine - 1] ?? []);
  const rows = table.slice(headingLine ?? 0, (headingLine ?? 0) + maxRowsLookedAt);
  const width = Math.max(headings.length, ...rows.map((cells) => cells.length));
  return Array.from({ length: width }, (_, index) => {
    const cells = rows.map((row) => (row[index] ?? "").trim()).filter((cell) => cell !== "");
    const heading = headings[index] ?? "";
    return {
      ...{ index, heading, meanings: meaningsOf(heading), filled: cells.length },
      numbers: cells.filter(looksLikeNumber).length,
      emails: cells.filter((cell) => /^\S+@\S+\.\S+$/u.test(cell)).length,
      words: cells.filter((cell) => /\p{L}{2}/u.test(cell) && !cell.includes("@")).length,
    };
  });
}

const isMeant =
  (...wanted: readonly HeadingMeaning[]) =>
  ({ meanings }: Column) =>
    wanted.some((meaning) => meanings.includes(meaning));

/**
 * The columns that may be the number, the likeliest first. A column "WhatsApp" with yes and no, or the empty "Home phone"
 * of an export, is none as long as another holds numbers.
 */
function numberColumns(columns: readonly Column[]): Column[] {
  const byHeading = columns.filter(
    (column) => isMeant("whatsapp", "mobile", "phone")(column) && !isMeant("areaCode")(column),
  );
  const withNumbers = byHeading.filter(({ numbers }) => numbers > 0);
  const filled = byHeading.filter((column) => column.filled > 0);
  const maybe = columns.filter((column) => isMeant("number?")(column) && column.numbers > column.filled / 2);
  const candidates = [withNumbers, maybe, filled, byHeading].find((each) => each.length > 0) ?? [];
  const rank = (column: Column) => (isMeant("whatsapp")(column) ? 0 : isMeant("mobile")(column) ? 1 : 2);
  return candidates.toSorted((a, b) => rank(a) - rank(b) || b.numbers - a.numbers);
}

/** The columns of the name: a full one, or first and last name, or the company's. */
function nameRoles(all: readonly Column[]): ReadonlyMap<Column, ColumnRole> {
  const columns = all.filter(({ filled }) => filled > 0);
  const [full] = columns.filter(isMeant("fullName"));
  // Google's older export has Name beside Given Name and Family Name: then it is the whole name.
  const [first, given] = columns.filter(isMeant("firstName"));
  const last = columns.filter(isMeant("lastName"));
  const whole = full ?? (given ? first : undefined);
  if (whole) {
    return new Map([[whole, "name"]]);
  }
  if (first) {
    const middle = columns.filter(isMeant("middleName"));
    return new Map<Column, ColumnRole>([
      [first, "name"],
      ...middle.map((column) => [column, "name"] as const),
      ...last.map((column) => [column, "lastName"] as const),
    ]);
  }
  const [other] = columns
    .filter(isMeant("otherName"))
    .toSorted((a, b) => (otherNameRank(a.heading) ?? 9) - (otherNameRank(b.heading) ?? 9));
  const found = other ?? last[0];
  return new Map(found ? [[found, "name"]] : []);
}

/** Without headings: the number where most cells look like one, then e-mail, and the first column of words as the name. */
function rolesByContent(columns: readonly Column[]): ColumnRole[] {
  const most = (count: "numbers" | "emails" | "words", but: readonly (Column | undefined)[]) =>
    columns.filter((column) => column[count] > 0 && !but.includes(column)).toSorted((a, b) => b[count] - a[count])[0];
  const number = numberColumns(columns)[0] ?? most("numbers", []);
  const email = most("emails", [number]);
  const name = most("words", [number, email]);
  return columns.map((column) =>
    column === number ? "number" : column === email ? "email" : column === name ? "name" : "ignore",
  );
}

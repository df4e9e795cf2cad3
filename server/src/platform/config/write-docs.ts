/** Writes the table of settings into docs/operations.md: `node server/src/platform/config/write-docs.ts`. */
import { readFileSync, writeFileSync } from "node:fs";
import { settingsTable } from "./settings.ts";

const start = "<!-- settings: made by server/src/platform/config/write-docs.ts -->";
const end = "<!-- end of settings -->";

/** The text between the two markers of the page. Throws when they are missing. */
export function documentedTable(page: string): string {
  const [, after] = page.split(start);
  const [table] = after?.split(end) ?? [];
  if (table === undefined || !page.includes(end)) {
    throw new Error(`docs/operations.md has lost its marker ${start} or ${end}`);
  }
  return table.trim();
}

if (import.meta.main) {
  const file = new URL("../../../../docs/operations.md", import.meta.url);
  const [before = "", after = ""] = readFileSync(file, "utf8").split(start);
  writeFileSync(file, `${before}${start}\n\n${settingsTable()}\n\n${end}${after.split(end)[1] ?? ""}`);
}

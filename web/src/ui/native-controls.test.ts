import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".tsx"));

/** The browser's own controls look and behave differently in each browser, and their dates ignore our language. */
const native = /<select\b|styled\((["'`])select\1\)|type=\{?["'`](?:date|time|datetime-local|month|week)["'`]/u;

test("no screen shows the browser's own select, date or time field (Z-05)", () => {
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((path) => native.test(readFileSync(join(root, path), "utf8")))).toEqual([]);
});

test.each(['<select name="x">', 'styled("select")({})', '<input type="date" />', "<Input type={'datetime-local'} />"])(
  "%s would be noticed (Z-05)",
  (line) => {
    expect(native.test(line)).toBe(true);
  },
);

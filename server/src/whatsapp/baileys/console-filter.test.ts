import { expect, test } from "vitest";
import { filterConsole } from "./console-filter.ts";

test("console output is dropped for the matching caller only", () => {
  const printed: unknown[] = [];
  const print = (...values: unknown[]) => void printed.push(...values);
  const fake = { log: print, info: print, warn: print, error: print, debug: print, trace: print, dir: print };
  filterConsole(fake, /a file that does not exist/);
  fake.info("kept");
  filterConsole(fake, /console-filter\.test\.ts/);
  fake.info("private key");
  expect(printed).toEqual(["kept"]);
});

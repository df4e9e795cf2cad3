import { expect, test } from "vitest";
import { silence } from "./console-filter.ts";

test("the console is taken away from whom it must be, and from nobody else", () => {
  const printed: unknown[] = [];
  const print = (...values: unknown[]) => void printed.push(...values);
  const fake = { log: print, info: print, warn: print, error: print, debug: print, trace: print, dir: print };
  silence(fake, /a file that does not exist/);
  fake.info("kept");
  silence(fake, /console-filter\.test\.ts/);
  fake.info("private key");
  expect(printed).toEqual(["kept"]);
});

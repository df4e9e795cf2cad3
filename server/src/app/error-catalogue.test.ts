import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorStatus } from "@prosa/contract";
import type { ErrorCode } from "@prosa/contract";
import { expect, test } from "vitest";
import { languages } from "@prosa/contract/i18n";
import { AppError } from "#server/platform/ctx.ts";
import { refusalText } from "#server/platform/http/index.ts";

const codes = Object.keys(errorStatus) as ErrorCode[];
const source = join(import.meta.dirname, "..");

test("every code of the error catalogue is produced by the server (E-01)", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("testing"))
    .map((file) => readFileSync(join(source, file), "utf8"));
  const unproduced = codes.filter((code) => !files.some((text) => text.includes(`"${code}"`)));
  expect(unproduced).toEqual([]);
});

test.each(languages)("every refusal is a sentence in %s, and none shows a code (E-01)", (language) => {
  for (const code of codes) {
    const text = refusalText(new AppError(code), language);
    expect(text, code).toMatch(/\p{L}{2,}/u);
    expect(text, code).not.toMatch(/ERR_|WAPP/u);
  }
});

import { readFile } from "node:fs/promises";
import { globSync } from "node:fs";
import { auditActions } from "@prosa/contract";
import { expect, test } from "vitest";

test("every action that the audit log's filter offers is written by some code path (V-01)", async () => {
  const paths = globSync("server/src/**/*.ts", { exclude: ["**/*.test.ts", "server/src/testing/**"] });
  const sources = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  const written = sources.filter((source) => /recordAudit|auditRowOf|\baudit\b/u.test(source)).join("\n");
  expect(auditActions.filter((action) => !written.includes(`"${action}"`))).toEqual([]);
});

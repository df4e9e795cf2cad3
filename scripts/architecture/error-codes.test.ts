import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/paths.ts";
import { sourceFiles } from "./sources.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");

test("every code of the contract is produced by the server, and by more than its tests (E-01)", () => {
  const codes = [...read("contract/src/errors.ts").matchAll(/^ {2}(ERR_\w+): \d{3},$/gmu)].map(
    ([, code]) => code ?? "",
  );
  expect(codes.length).toBeGreaterThan(40);

  const server = sourceFiles(root, ["server/src"])
    .filter((file) => !/\.test\.ts$|\/testing\//u.test(file))
    .map(read)
    .join("\n");
  expect(codes.filter((code) => !server.includes(`"${code}"`))).toEqual([]);
});

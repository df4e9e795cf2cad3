import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/paths.ts";
import { sourceFiles } from "./sources.ts";

test("no two statements share a name: a connection that has prepared one refuses the other", () => {
  const names = sourceFiles(root, ["server/src"])
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => [...readFileSync(join(root, file), "utf8").matchAll(/\bname: "(\w+)",\s+text: /gu)])
    .map(([, name]) => name ?? "");
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

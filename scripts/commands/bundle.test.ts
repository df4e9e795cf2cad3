import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/paths.ts";
import { isWanted } from "./bundle.ts";

test("a bundle carries what runs, and nothing that only developers need", () => {
  const wanted = [
    "server/src/main.ts",
    "server/migrations/0000_platform.ts",
    "web/dist/index.html",
    "wa-sim/src/main.ts",
  ];
  const unwanted = [
    "server/src/app/app.test.ts",
    "server/src/testing/app.ts",
    "server/src/platform/jobs/hanging-runner.fixture.ts",
    "server/node_modules/pg/index.js",
    "wa-sim/test/control.test.ts",
    "server/tsconfig.json",
  ];
  expect([...wanted, ...unwanted].filter((path) => isWanted(join(root, path)))).toEqual(wanted);
});

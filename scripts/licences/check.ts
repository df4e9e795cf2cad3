/** Prints every breach of a licence, and fails when there is one; with `--fix` the list of notices is written first. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/paths.ts";
import { checkLicences, noticesFile, noticesOf, packagesOf } from "./licences.ts";

if (process.argv.includes("--fix")) {
  writeFileSync(join(root, noticesFile), noticesOf(packagesOf(root)));
}

const violations = checkLicences(root);
for (const { rule, file, message } of violations) {
  console.log(`${file}\n  ${rule}: ${message}`);
}
process.exitCode = violations.length > 0 ? 1 : 0;

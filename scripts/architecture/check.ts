/** Prints every place that breaks a rule of the architecture, and fails when there is one. */
import { root } from "../support/paths.ts";
import { checkHosts } from "./hosts.ts";
import { checkImports } from "./imports.ts";
import { checkSql } from "./sql.ts";

const violations = [...(await checkImports(root)), ...checkSql(root), ...checkHosts(root)];

for (const { rule, file, message } of violations) {
  console.log(`${file}\n  ${rule}: ${message}`);
}
if (violations.length > 0) {
  console.log(`\n${violations.length} places break a rule of docs/architecture.md.`);
  process.exitCode = 1;
}

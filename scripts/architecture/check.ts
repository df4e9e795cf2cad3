/** Prints every place that breaks a rule of the architecture, and fails when there is one. */
import { landedHashes, listHashes } from "../support/migrations.ts";
import { root } from "../support/paths.ts";
import { checkHosts } from "./hosts.ts";
import { checkImports } from "./imports.ts";
import { checkMigrations } from "./migrations.ts";
import { checkSql } from "./sql.ts";

if (process.argv.includes("--fix")) {
  listHashes(root, landedHashes(root));
}

const violations = [...(await checkImports(root)), ...checkSql(root), ...checkHosts(root), ...checkMigrations(root)];

for (const { rule, file, message } of violations) {
  console.log(`${file}\n  ${rule}: ${message}`);
}
if (violations.length > 0) {
  console.log(`\n${violations.length} places break a rule of docs/architecture.md.`);
  process.exitCode = 1;
}

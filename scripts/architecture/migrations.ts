/** Migrations follow each other, and one that has landed never changes: databases that ran it would not run it again. */
import {
  hashFile,
  hashOf,
  landedHashes,
  listedHashes,
  migrationFiles,
  migrationFolder,
} from "../support/migrations.ts";
import type { Violation } from "./violation.ts";

/** Numbers that were left out before this was checked, and of branches that were written at the same time. */
const gaps = new Set([7, 11, 15, 18, 72, 74, 75, 83, 89]);

/** Every migration that is out of order, changed, gone or not listed yet. */
export function checkMigrations(root: string): Violation[] {
  const files = migrationFiles(root);
  const listed = listedHashes(root);
  return [
    ...outOfOrder(files),
    ...files.flatMap((file) => {
      const hash = listed.get(file);
      if (hash === undefined) {
        return [violation("migrations-are-listed", file, `not in ${hashFile} yet: npm run check -- --fix adds it`)];
      }
      return hash === hashOf(root, file)
        ? []
        : [violation("a-landed-migration-never-changes", file, "it has landed: put the change into a new migration")];
    }),
    // Lines of what is on main are not written anew either.
    ...[...landedHashes(root)]
      .filter(([file, hash]) => listed.get(file) !== hash)
      .map(([file]) => violation("a-landed-migration-never-changes", file, `its line in ${hashFile} has changed`)),
    ...[...listed.keys()]
      .filter((file) => !files.includes(file))
      .map((file) => violation("a-landed-migration-never-changes", file, `it is gone, and in ${hashFile}`)),
  ];
}

function outOfOrder(files: readonly string[]): Violation[] {
  const numbers = files.map((file) => Number.parseInt(file, 10));
  return files.flatMap((file, index) => {
    const number = numbers[index] ?? 0;
    let expected = (numbers[index - 1] ?? -1) + 1;
    while (gaps.has(expected) && expected < number) {
      expected += 1;
    }
    const wanted = String(expected).padStart(4, "0");
    return number === expected
      ? []
      : [violation("migrations-follow-each-other", file, `its number should be ${wanted}`)];
  });
}

function violation(rule: string, file: string, message: string): Violation {
  return { rule, file: `${migrationFolder}/${file}`, message };
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LaunchError } from "../launcher/error.mjs";
import { namesOf } from "../new-feature/names.ts";
import { filesOf } from "../new-feature/templates.ts";
import { nextMigration } from "../support/migrations.ts";
import { root } from "../support/paths.ts";

/** Makes the skeleton of a slice: `npm run new-feature -- call-notes`, or with an irregular singular as second word. */
export async function run([noun, singular]: readonly string[]): Promise<void> {
  if (!noun) {
    throw new LaunchError("Which noun? In the plural, for example: npm run new-feature -- call-notes");
  }
  const names = namesOf(noun, singular);
  const files = filesOf(names, nextMigration(root));

  const taken = Object.keys(files).filter((file) => existsSync(join(root, file)));
  if (taken.length > 0) {
    throw new LaunchError(`There already is ${taken.join(", ")}.`);
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    console.log(`made ${file}`);
  }
  exportFromContract(names.folder);

  console.log(`
What is left:
  .dependency-cruiser.cjs          its level in featureLevels: what may it import, and who may import it?
  npm run check -- --fix           lists its migration in server/migrations/hashes.txt
  scripts/architecture/tables.ts   ${names.table}: "features/${names.folder}"
  server/src/app/features.ts       its feature, at the same level
  contract/src/events.ts           the event that keeps the lists of other browsers up to date; then handlers on both sides
  server/src/testing/rights/samples.ts   a sample of each of its calls, which everybody then sends
  web/src/app/routing/screens.ts   its screen: the path of web/src/app/screens/${names.Many}.tsx, and who may open it
  web/src/app/shell/menu.ts        its place in the menu, with its word and picture
  server/src/features/${names.folder}/${names.folder}.test.ts   its story, also as a stranger, another company and the wrong role

When a folder passes some 20 sources, split it by verb into rooms with an index.ts each (CONTRIBUTING.md).
`);
}

function exportFromContract(folder: string): void {
  const file = join(root, "contract/src/index.ts");
  const lines = new Set(readFileSync(file, "utf8").trim().split("\n")).add(`export * from "./${folder}.ts";`);
  writeFileSync(file, `${[...lines].sort().join("\n")}\n`);
  console.log("added to contract/src/index.ts");
}

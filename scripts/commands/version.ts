import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LaunchError } from "../launcher/error.mjs";
import { released } from "../release/changelog.ts";
import { root } from "../support/paths.ts";

/**
 * Run by `npm version`, between the new number and the commit with its tag: the changelog gets its chapter, and the release
 * before this one is noted as the oldest that may run on the schema.
 */
export async function run(): Promise<void> {
  const { npm_old_version: before, npm_new_version: version } = process.env;
  if (!before || !version) {
    throw new LaunchError("This is a part of `npm version minor`, which commits and tags a release.");
  }
  change("CHANGELOG.md", (text) => released(text, version, new Date().toISOString().slice(0, 10)));
  change("package.json", (text) => text.replace(/("worksBeside": )"[^"]*"/, `$1"${before}"`));
  execFileSync("git", ["add", "CHANGELOG.md", "package.json"], { cwd: root });
}

function change(file: string, how: (text: string) => string): void {
  const path = join(root, file);
  writeFileSync(path, how(readFileSync(path, "utf8")));
}

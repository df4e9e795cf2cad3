import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Everything that can change what the browser receives. */
const inputs = [
  "package-lock.json",
  "tsconfig.base.json",
  "web/package.json",
  "web/tsconfig.json",
  "web/tsconfig.build.json",
  "web/vite.config.ts",
  "web/build",
  "web/index.html",
  "web/public",
  "web/src",
  "contract/package.json",
  "contract/src",
];

/** One hash of the names and contents of the web app's sources; a few hundred files take some ten milliseconds. */
export function hashSources(root: string): string {
  const hash = createHash("sha256");
  for (const input of inputs) {
    for (const file of filesIn(root, input)) {
      hash
        .update(file)
        .update("\0")
        .update(readFileSync(join(root, file)))
        .update("\0");
    }
  }
  return hash.digest("hex");
}

function filesIn(root: string, path: string): string[] {
  const absolute = join(root, path);
  if (!existsSync(absolute)) {
    return [];
  }
  if (statSync(absolute).isFile()) {
    return [path];
  }
  return readdirSync(absolute)
    .filter((name) => !name.startsWith(".") && !name.includes(".test."))
    .sort()
    .flatMap((name) => filesIn(root, `${path}/${name}`));
}

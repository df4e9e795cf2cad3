/** Does a file name a place that packages come from? A clone installs from wherever its own npm is set up to. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "./sources.ts";
import type { Violation } from "./violation.ts";

const host = /\bregistry\.[a-z0-9-]+\.[a-z]{2,}|https?:\/\/[^/\s"'`]*(registry|artifactory|verdaccio)[^/\s"'`]*/i;
const text = /\.(ts|tsx|mjs|cjs|js|json|md|html|css|ya?ml|sh|toml)$|(^|\/)(\.[\w.-]+|run|Dockerfile)$/;

/** Every file that names a registry's host, and every address that the lock file resolved a package to. */
export function checkHosts(root: string): Violation[] {
  return filesBelow(root, ["."])
    .filter((file) => text.test(file))
    .flatMap((file) => {
      const content = readFileSync(join(root, file), "utf8");
      const found =
        host.exec(content) ?? (file === "package-lock.json" ? /"resolved": "https?:[^"]*"/.exec(content) : null);
      return found ? [{ rule: "no-registry-host", file, message: `names ${found[0]}` }] : [];
    });
}

/** May the packages that this product is made of be part of it? It is under the AGPL, version 3 or later (decision 0110). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Violation } from "../architecture/violation.ts";
import { filesBelow } from "../architecture/sources.ts";

export const ownLicence = "AGPL-3.0-or-later";
export const noticesFile = "THIRD-PARTY-NOTICES.md";

export interface Package {
  readonly name: string;
  readonly version: string;
  /** An expression of SPDX; undefined where the package states none. */
  readonly licence: string | undefined;
  /** Part of what runs; others only build and test it. */
  readonly isShipped: boolean;
}

/** What may be combined with the AGPL 3, as the Free Software Foundation sees it; of fonts also the Open Font License. */
const compatible = new Set([
  "0BSD",
  "AGPL-3.0-or-later",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "GPL-2.0-or-later",
  "GPL-3.0",
  "GPL-3.0-only",
  "GPL-3.0-or-later",
  "ISC",
  "LGPL-2.1-or-later",
  "LGPL-3.0-or-later",
  "MIT",
  "MIT-0",
  "Python-2.0",
  "MPL-2.0",
  "OFL-1.1",
  "Unlicense",
  "Zlib",
]);

/** Packages that state no licence in their package.json, by the text that lies in them. */
const stated: Readonly<Record<string, string>> = { "xmlhttprequest-ssl": "MIT" };

interface LockEntry {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
}

/** Every package of the lock file, those for other machines included; each name and version once. */
export function packagesOf(root: string): readonly Package[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockEntry>;
  };
  const found = new Map<string, Package>();
  for (const [path, entry] of Object.entries(packages)) {
    const [, name = ""] = /.*node_modules\/(.+)$/.exec(path) ?? [];
    if (name !== "" && !entry.link) {
      const made = toPackage(entry.name ?? name, entry);
      const key = `${made.name} ${made.version}`;
      found.set(key, { ...made, isShipped: made.isShipped || (found.get(key)?.isShipped ?? false) });
    }
  }
  return [...found.values()].toSorted((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

function toPackage(name: string, { version = "", license, dev = false }: LockEntry): Package {
  return { name, version, licence: license ?? stated[name], isShipped: !dev };
}

/** Pure: whether one side of every "OR" may be combined with ours. What is nested deeper is for a person to judge. */
export function isCompatible(expression: string): boolean {
  const plain = expression.replace(/^\(([^()]*)\)$/, "$1");
  return plain.split(" OR ").some((all) => all.split(" AND ").every((one) => compatible.has(one.trim())));
}

/** The list of what is shipped, by licence. Pure. */
export function noticesOf(packages: readonly Package[]): string {
  const byLicence = Map.groupBy(
    packages.filter(({ isShipped }) => isShipped),
    ({ licence }) => licence ?? "None stated",
  );
  const sections = [...byLicence]
    .toSorted(([a], [b]) => compare(a, b))
    .map(
      ([licence, own]) => `## ${licence}\n\n${own.map(({ name, version }) => `- \`${name}\` ${version}`).join("\n")}\n`,
    );
  return [
    "# Third-party notices\n",
    "Prosa is under the GNU Affero General Public License, version 3 or later (LICENSE). It runs with these packages, each\nunder its own licence, whose text and copyright notice lie in its folder below `node_modules` once it is installed. The\nweb app carries the texts of what is bundled in it at `/third-party-licences.txt`.\n",
    "Written by `npm run check -- --fix` from package-lock.json; packages for other machines than this one are included.\n",
    ...sections,
  ].join("\n");
}

/** Packages that may not be here, parts of ours without a licence, and a list of notices that is not of today. */
export function checkLicences(root: string): Violation[] {
  const packages = packagesOf(root);
  const foreign = packages.flatMap(({ name, version, licence }) =>
    licence !== undefined && isCompatible(licence)
      ? []
      : [violation("package-licence", "package-lock.json", `${name} ${version}: ${licence ?? "states no licence"}`)],
  );
  const own = filesBelow(root, ["."])
    .filter((file) => /(^|\/)package\.json$/.test(file))
    .filter((file) => (JSON.parse(readFileSync(join(root, file), "utf8")) as LockEntry).license !== ownLicence)
    .map((file) => violation("own-licence", file, `states another licence than ${ownLicence}`));
  const isCurrent = readIfThere(join(root, noticesFile)) === noticesOf(packages);
  const notices = isCurrent
    ? []
    : [violation("third-party-notices", noticesFile, "is not of today: npm run check -- --fix writes it")];
  return [...foreign, ...own, ...notices];
}

function violation(rule: string, file: string, message: string): Violation {
  return { rule, file, message };
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** By code units: the same everywhere, whatever the machine's language. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

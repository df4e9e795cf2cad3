import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { plant } from "../architecture/planted.ts";
import { root } from "../support/paths.ts";
import { checkLicences, isCompatible, noticesOf, packagesOf } from "./licences.ts";

const lock = (packages: Readonly<Record<string, object>>) => ({
  "package-lock.json": JSON.stringify({
    packages: {
      "": { name: "prosa" },
      "node_modules/@prosa/server": { resolved: "server", link: true },
      server: { name: "@prosa/server", version: "1.0.0" },
      ...packages,
    },
  }),
});
const broken = (of: { readonly root: string }, rule: string) =>
  checkLicences(of.root)
    .filter((each) => each.rule === rule)
    .map(({ message }) => message);

test("a package that may not be combined with ours is reported, one for tests too, and one that states none", () => {
  using project = plant(
    lock({
      "node_modules/good": { version: "1.0.0", license: "MIT" },
      "node_modules/good/node_modules/@far/closed": { version: "2.0.0", license: "SSPL-1.0" },
      "node_modules/old-gpl": { version: "3.0.0", license: "GPL-2.0-only", dev: true },
      "node_modules/silent": { version: "4.0.0" },
    }),
  );
  expect(broken(project, "package-licence")).toEqual([
    "@far/closed 2.0.0: SSPL-1.0",
    "old-gpl 3.0.0: GPL-2.0-only",
    "silent 4.0.0: states no licence",
  ]);
});

test.each([
  ["MIT", true],
  ["Apache-2.0 AND LGPL-3.0-or-later", true],
  ["Apache-2.0 AND SSPL-1.0", false],
  ["(MIT OR GPL-2.0-only)", true],
  ["GPL-2.0-only", false],
  ["CC-BY-NC-4.0", false],
  ["UNLICENSED", false],
  ["SEE LICENSE IN LICENSE.txt", false],
  ["(MIT AND (BUSL-1.1 OR MIT))", false],
])("%s may be combined with the AGPL 3: %s", (expression, isGood) => {
  expect(isCompatible(expression)).toBe(isGood);
});

test("the notices list what is shipped, by licence, and must be of today", () => {
  const packages = {
    "node_modules/b": { version: "1.0.0", license: "MIT" },
    "node_modules/a": { version: "2.0.0", license: "MIT" },
    "node_modules/c": { version: "1.0.0", license: "ISC" },
    "node_modules/for-tests": { version: "1.0.0", license: "MIT", dev: true },
  };
  using project = plant(lock(packages));
  const notices = noticesOf(packagesOf(project.root));
  expect(notices.slice(notices.indexOf("## "))).toBe("## ISC\n\n- `c` 1.0.0\n\n## MIT\n\n- `a` 2.0.0\n- `b` 1.0.0\n");
  expect(broken(project, "third-party-notices")).toHaveLength(1);

  using current = plant({ ...lock(packages), "THIRD-PARTY-NOTICES.md": notices });
  expect(broken(current, "third-party-notices")).toEqual([]);
  using grown = plant({
    ...lock({ ...packages, "node_modules/new": { version: "1.0.0", license: "MIT" } }),
    "THIRD-PARTY-NOTICES.md": notices,
  });
  expect(broken(grown, "third-party-notices")).toHaveLength(1);
});

test("a part of ours that states another licence is reported", () => {
  using project = plant({ ...lock({}), "extra/package.json": '{ "name": "extra", "license": "MIT" }' });
  using right = plant({ ...lock({}), "extra/package.json": '{ "name": "extra", "license": "AGPL-3.0-or-later" }' });
  const filesOf = ({ root: folder }: { readonly root: string }) =>
    checkLicences(folder)
      .filter(({ rule }) => rule === "own-licence")
      .map(({ file }) => file);
  expect(filesOf(project)).toContain("extra/package.json");
  expect(filesOf(right)).not.toContain("extra/package.json");
});

test("the text of our licence is the Free Software Foundation's, letter by letter", () => {
  const text = readFileSync(join(root, "LICENSE"));
  expect(createHash("sha256").update(text).digest("hex")).toBe(
    "0d96a4ff68ad6d4b6f1f30f713b18d5184912ba8dd389f86aa7710db079abcb0",
  );
});

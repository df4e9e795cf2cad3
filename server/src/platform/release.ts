import { readFileSync } from "node:fs";
import { z } from "zod";

/** A version of the product, and the oldest version whose processes may run on its schema. */
export interface Release {
  readonly version: string;
  readonly worksBeside: string;
}

const root = new URL("../../../", import.meta.url);

const manifest = z
  .object({ version: z.string(), worksBeside: z.string() })
  .parse(JSON.parse(readFileSync(new URL("package.json", root), "utf8")));

/** From package.json of the project; `npm version` writes both. */
export const thisRelease: Release = { version: manifest.version, worksBeside: manifest.worksBeside };

/** Compares `major.minor.patch`; suffixes are ignored. */
export function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [version, than].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  const place = [0, 1, 2].find((index) => ours?.[index] !== theirs?.[index]) ?? 0;
  return (ours?.[place] ?? 0) < (theirs?.[place] ?? 0);
}

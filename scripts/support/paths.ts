import { dirname, join } from "node:path";

/** The folder of the whole project. */
export const root = dirname(dirname(import.meta.dirname));

/** What the scripts keep between runs; safe to delete. */
export const cache = join(root, ".cache");

/** Compiled modules, so that the second start of a program does not strip its types again. */
export const compileCache = join(cache, "node");

/** Where a package's program lies, to be run with `process.execPath`: works without shells and `.cmd` files. */
export function toolPath(path: string): string {
  return join(root, "node_modules", path);
}

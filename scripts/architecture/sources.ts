import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The TypeScript files below the given folders, relative to `root`, with slashes on every system. */
export function sourceFiles(root: string, folders: readonly string[]): string[] {
  return filesBelow(root, folders).filter((file) => /\.(ts|tsx)$/.test(file));
}

/** Every file below the given folders except what is installed, built or kept between runs. */
export function filesBelow(root: string, folders: readonly string[]): string[] {
  return folders.filter((folder) => existsSync(join(root, folder))).flatMap((folder) => walk(root, folder));
}

const notOurs = new Set(["node_modules", "dist", ".cache", ".git", "data", "coverage", "test-results", "screenshots"]);

function walk(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !notOurs.has(name))
    .flatMap((entry) => {
      const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? walk(root, path) : [path];
    })
    .sort();
}

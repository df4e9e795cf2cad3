/** The files of server/migrations: their numbers, and the hashes of those that have landed. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const migrationFolder = "server/migrations";
export const hashFile = `${migrationFolder}/hashes.txt`;

/** By name, as `sha256sum` writes them: `sha256sum -c hashes.txt` works in the folder. */
export type Hashes = ReadonlyMap<string, string>;

export function migrationFiles(root: string): string[] {
  return readdirSync(join(root, migrationFolder))
    .filter((file) => /^\d{4}_.*(?<!\.test)\.ts$/.test(file))
    .sort();
}

export function nextMigration(root: string): string {
  const numbers = migrationFiles(root).map((file) => Number.parseInt(file, 10));
  return String(Math.max(-1, ...numbers) + 1).padStart(4, "0");
}

export function hashOf(root: string, file: string): string {
  return createHash("sha256")
    .update(readFileSync(join(root, migrationFolder, file)))
    .digest("hex");
}

export function listedHashes(root: string): Hashes {
  const file = join(root, hashFile);
  return existsSync(file) ? parseHashes(readFileSync(file, "utf8")) : new Map();
}

export function parseHashes(text: string): Hashes {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return new Map(lines.map((line) => [line.slice(66).trim(), line.slice(0, 64)] as const));
}

/** What the branch `main` lists; everything that is listed where there is no such branch to ask. */
export function landedHashes(root: string): Hashes {
  try {
    const text = execFileSync("git", ["show", `main:${hashFile}`], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return parseHashes(text);
  } catch {
    return listedHashes(root);
  }
}

/** Lists what is there. What has landed stays as it was listed, so that a change of it is still noticed. */
export function listHashes(root: string, landed: Hashes): void {
  const present = migrationFiles(root).map((file) => [file, landed.get(file) ?? hashOf(root, file)] as const);
  const lines = [...new Map([...landed, ...present])].sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(join(root, hashFile), lines.map(([file, hash]) => `${hash}  ${file}\n`).join(""));
}

import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";

/**
 * The secrets, current one first: SECRET_KEY, or 32 random bytes kept in DATA_DIR/secret.key (mode 0600).
 * Losing that file means that people sign in again and lines are paired again; back it up with the database.
 */
export function secretKeys(config: Config): readonly string[] {
  return config.secretKeys.length > 0 ? config.secretKeys : [readOrCreateKey(config.dataDir)];
}

/** The secrets if there are any: unlike `secretKeys` it makes none. */
export function existingSecretKeys(config: Config): readonly string[] {
  const file = keyFile(config.dataDir);
  return config.secretKeys.length === 0 && !existsSync(file) ? [] : secretKeys(config);
}

/** Keeps a key in DATA_DIR, which has none. */
export function keepSecretKey(dataDir: string, key: string): void {
  writeFileSync(keyFile(dataDir), key, { mode: 0o600, flag: "wx" });
}

function keyFile(dataDir: string): string {
  return join(dataDir, "secret.key");
}

function readOrCreateKey(dataDir: string): string {
  const file = keyFile(dataDir);
  mkdirSync(dataDir, { recursive: true });
  try {
    // "wx": when two processes start at once, one writes and both read.
    writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) {
      throw error;
    }
  }
  return readFileSync(file, "utf8").trim();
}

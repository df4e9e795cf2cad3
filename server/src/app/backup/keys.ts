import { createHash } from "node:crypto";
import { ConfigError, existingSecretKeys, keepSecretKey } from "#server/platform/config/index.ts";
import type { Config } from "#server/platform/config/index.ts";

const adviceWhereLost =
  "Where it is lost, `--without-secret-key` restores all but what it sealed: people sign in again, lines are linked again";

/** Tells whether a key is the same without telling the key. */
export function fingerprintOf(key: string): string {
  return createHash("sha256").update(`prosa backup\0${key}`).digest("hex").slice(0, 16);
}

/**
 * Secrets of a backup must be readable afterwards: lines would have to be paired again, and nobody could tell why. Throws ConfigError with
 * what to do where a key is missing here; keeps the only key of the backup where there is none. `mayLackKey`: the key of a backup that
 * does not bring it is lost, and the rest is wanted all the same. Returns whether the secrets can be read.
 */
export function acceptKeys(
  config: Pick<Config, "dataDir" | "secretKeys">,
  fingerprint: string,
  keys: readonly string[] | undefined,
  { mayLackKey = false } = {},
): boolean {
  const existing = existingSecretKeys(config);
  if (keys === undefined) {
    const isHere = existing.some((key) => fingerprintOf(key) === fingerprint);
    if (!isHere && !mayLackKey) {
      throw new ConfigError(`SECRET_KEY: ${adviceWithoutKeys(config, existing)}. ${adviceWhereLost}`);
    }
    return isHere;
  }
  // Amid a change of the key, what is still sealed with the former ones needs them too.
  const missing = keys.filter((key) => !existing.includes(key));
  if (missing.length === 0) {
    return true;
  }
  const [key, ...former] = keys;
  if (existing.length === 0 && key !== undefined && former.length === 0) {
    keepSecretKey(config.dataDir, key);
    return true;
  }
  throw new ConfigError(`SECRET_KEY: ${adviceWithKeys(config, keys, missing)}`);
}

function adviceWithoutKeys({ secretKeys }: Pick<Config, "secretKeys">, existing: readonly string[]): string {
  if (secretKeys.length > 0) {
    return "the backup was made with another one; add that one to the list (the first key encrypts, all decrypt)";
  }
  return existing.length === 0
    ? "the backup does not carry it; set the one of the installation that made it, or copy its secret.key into DATA_DIR"
    : "the backup was made with another one than DATA_DIR/secret.key, and does not carry it; set the one of the installation that made it, or put its secret.key there";
}

function adviceWithKeys(
  { secretKeys }: Pick<Config, "secretKeys">,
  keys: readonly string[],
  missing: readonly string[],
): string {
  if (secretKeys.length > 0) {
    return `the backup was made with another one; add to the list (the first key encrypts, all decrypt) ${missing.join(",")}`;
  }
  return keys.length > 1
    ? `the backup was made amid a change of it; set it to ${keys.join(",")}`
    : "the backup was made with another one than DATA_DIR/secret.key, and brings it; move DATA_DIR/secret.key away";
}

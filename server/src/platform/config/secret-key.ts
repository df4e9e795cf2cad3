import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "./config.ts";
import type { Config } from "./config.ts";

/** As SECRET_KEY asks for. A shorter file was cut off, and everything would be sealed with what is left of it. */
const SHORTEST = 32;

type KeySettings = Pick<Config, "dataDir" | "secretKeys">;

/**
 * The secrets, current one first: SECRET_KEY, or 32 random bytes kept in DATA_DIR/secret.key (mode 0600).
 * Losing that file means that people sign in again, with an authenticator app only after `npm run reset-password`, and that lines are
 * paired again; closed browsers get no notifications until they were opened. Back it up with the database.
 */
export function secretKeys(config: KeySettings): readonly string[] {
  return config.secretKeys.length > 0 ? config.secretKeys : [readOrCreateKey(config.dataDir)];
}

/** The secrets if there are any: unlike `secretKeys` it makes none. */
export function existingSecretKeys(config: KeySettings): readonly string[] {
  const file = keyFile(config.dataDir);
  return config.secretKeys.length === 0 && !existsSync(file) ? [] : secretKeys(config);
}

/**
 * The secrets for work beside a server. It makes none: the server has one, and would open nothing that this one sealed or signed. Throws
 * ConfigError where there is none.
 */
export function requireSecretKeys(config: KeySettings): readonly string[] {
  const keys = existingSecretKeys(config);
  if (keys.length === 0) {
    throw new ConfigError(
      `SECRET_KEY: not set, and DATA_DIR (${config.dataDir}) has no secret.key; set it as the server has it.`,
    );
  }
  return keys;
}

/** Keeps a key in DATA_DIR. Throws EEXIST where it has one. */
export function keepSecretKey(dataDir: string, key: string): void {
  mkdirSync(dataDir, { recursive: true });
  const file = keyFile(dataDir);
  const incoming = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(incoming, key, { mode: 0o600, flush: true });
    // Unlike a rename it replaces nothing: when two processes start at once, one key stays and both read it.
    linkSync(incoming, file);
  } catch (error) {
    if (!hasNoLinks(error)) {
      throw error;
    }
    writeFileSync(file, key, { mode: 0o600, flag: "wx", flush: true });
  } finally {
    rmSync(incoming, { force: true });
  }
}

/** Some file systems, as exFAT and some shares, know no second name of a file. */
function hasNoLinks(error: unknown): boolean {
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  return syscall === "link" && code !== "EEXIST";
}

function keyFile(dataDir: string): string {
  return join(dataDir, "secret.key");
}

function readOrCreateKey(dataDir: string): string {
  const file = keyFile(dataDir);
  if (!existsSync(file)) {
    try {
      keepSecretKey(dataDir, randomBytes(32).toString("base64url"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
        throw error;
      }
    }
  }
  const key = readFileSync(file, "utf8").trim();
  if (key.length < SHORTEST) {
    throw new ConfigError(
      `SECRET_KEY: ${file} is cut off, it has ${key.length} of at least ${SHORTEST} characters. Put the copy that you keep ` +
        "in its place. Without one delete it: people sign in again (with an authenticator app after npm run reset-password), and lines " +
        "are linked again.",
    );
  }
  return key;
}

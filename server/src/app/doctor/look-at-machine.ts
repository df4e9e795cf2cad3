import { access, constants, mkdir, stat, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Config } from "#server/platform/config/index.ts";
import { openMail } from "#server/platform/mail/index.ts";
import { openStorageOf } from "#server/platform/storage/index.ts";
import { listBackups } from "../backup/index.ts";
import { bad, doubtful, good, look } from "./finding.ts";
import type { Finding } from "./finding.ts";

const LOW_BYTES = 1_000_000_000;
const DAY_MS = 86_400_000;

/** Disk, bucket, mail, port and backups. */
export async function lookAtMachine(config: Config): Promise<readonly Finding[]> {
  const findings = await Promise.all([
    look("disk", () => lookAtDisk(config.dataDir)),
    look("files", () => lookAtStorage(config)),
    look("mail", () => lookAtMail(config)),
    look("port", () => lookAtPort(config)),
    look("backup", () => lookAtBackups(config)),
  ]);
  return findings.flat();
}

async function lookAtDisk(dataDir: string): Promise<Finding> {
  await access(dataDir, constants.W_OK);
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const found = `${(free / 1_000_000_000).toFixed(1)} GB free in DATA_DIR`;
  return free < LOW_BYTES
    ? bad(
        "disk",
        found,
        "Make room, or move DATA_DIR to a larger disk: below 16 MB no file and no message can be saved.",
      )
    : good("disk", found);
}

async function lookAtStorage(config: Config): Promise<Finding> {
  const storage = await openStorageOf(config);
  try {
    await storage.check();
    return good("files", await storage.identity());
  } finally {
    await storage.close();
  }
}

async function lookAtMail(config: Config): Promise<Finding> {
  if (config.mail.smtpUrl === undefined) {
    return doubtful(
      "mail",
      "SMTP_URL is not set: mails are files in DATA_DIR/outbox",
      "Set SMTP_URL, so that people can reset a password.",
    );
  }
  const mail = openMail(config);
  try {
    await mail.check();
    return good("mail", "the server accepts the sign-in");
  } finally {
    mail.close();
  }
}

/** A port that is taken is fine where Prosa has taken it. */
async function lookAtPort({ port, host }: Config): Promise<Finding> {
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer()
      .once("error", () => resolve(false))
      .once("listening", () => server.close(() => resolve(true)))
      .listen(port, host);
  });
  if (isFree) {
    return good("port", `${port} is free; no process of Prosa runs on it`);
  }
  const isOurs = await fetch(`http://127.0.0.1:${port}/version`, { signal: AbortSignal.timeout(3_000) })
    .then((response) => response.ok)
    .catch(() => false);
  return isOurs
    ? good("port", `Prosa answers on ${port}`)
    : bad("port", `another program has taken ${port}`, "Stop that program, or set PORT to another one.");
}

async function lookAtBackups({ backup }: Config): Promise<Finding> {
  if (backup.dir === undefined) {
    return doubtful(
      "backup",
      "BACKUP_DIR is not set: nothing is backed up at night",
      "Set BACKUP_DIR to a folder on another disk.",
    );
  }
  await mkdir(backup.dir, { recursive: true });
  await access(backup.dir, constants.W_OK);
  const names = await listBackups(backup.dir);
  const newest = names.at(-1);
  if (newest === undefined) {
    return doubtful("backup", "there is none yet", "Run npm run backup once, or wait for the night.");
  }
  const age = Date.now() - (await stat(join(backup.dir, newest))).mtimeMs;
  return age < 2 * DAY_MS
    ? good("backup", `${names.length}, the newest of ${Math.round(age / 3_600_000)} hours ago`)
    : bad(
        "backup",
        `the newest is ${Math.round(age / DAY_MS)} days old`,
        "Look for a dead job named backup: it says what failed.",
      );
}

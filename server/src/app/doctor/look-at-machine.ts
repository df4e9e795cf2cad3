import { access, constants, mkdir, stat, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Config } from "#server/platform/config/index.ts";
import { openMail } from "#server/platform/mail/index.ts";
import { openBucketOf, openStorageOf } from "#server/platform/storage/index.ts";
import { listBackups, listBucketBackups } from "../backup/index.ts";
import { bad, doubtful, good, look } from "./finding.ts";
import type { Observation } from "./finding.ts";

const LOW_BYTES = 1_000_000_000;
const DAY_MS = 86_400_000;

/** Disk, bucket, mail, backups and, where no process of this configuration asks, the port. */
export async function lookAtMachine(config: Config, isServing: boolean): Promise<readonly Observation[]> {
  const findings = await Promise.all([
    look("sDisk", () => lookAtDisk(config.dataDir)),
    look("sFiles", () => lookAtStorage(config)),
    look("sMail", () => lookAtMail(config)),
    ...(isServing ? [] : [look("sPort", () => lookAtPort(config))]),
    look("sBackup", () => lookAtBackups(config)),
  ]);
  return findings.flat();
}

async function lookAtDisk(dataDir: string): Promise<Observation> {
  await access(dataDir, constants.W_OK);
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const values = { free: Math.round(free / 100_000_000) / 10 };
  return free < LOW_BYTES ? bad("sDisk", "disk", "diskDo", values) : good("sDisk", "disk", values);
}

async function lookAtStorage(config: Config): Promise<Observation> {
  const storage = await openStorageOf(config);
  try {
    await storage.check();
    return config.s3
      ? good("sFiles", "filesInBucket", { bucket: config.s3.bucket, endpoint: config.s3.endpoint ?? config.s3.region })
      : good("sFiles", "filesInFolder", { folder: join(config.dataDir, "files") });
  } finally {
    await storage.close();
  }
}

async function lookAtMail(config: Config): Promise<Observation> {
  if (config.mail.smtpUrl === undefined) {
    return doubtful("sMail", "mailUnset", "mailUnsetDo");
  }
  const mail = openMail(config);
  try {
    await mail.check();
    return good("sMail", "mail");
  } finally {
    mail.close();
  }
}

/** A port that is taken is fine where Prosa has taken it. In the words it is a name, which no language groups by thousands. */
async function lookAtPort({ port, host }: Config): Promise<Observation> {
  const values = { port: String(port) };
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer()
      .once("error", () => resolve(false))
      .once("listening", () => server.close(() => resolve(true)))
      .listen(port, host);
  });
  if (isFree) {
    return good("sPort", "portFree", values);
  }
  const isOurs = await fetch(`http://127.0.0.1:${port}/version`, { signal: AbortSignal.timeout(3_000) })
    .then((response) => response.ok)
    .catch(() => false);
  return isOurs ? good("sPort", "port", values) : bad("sPort", "portTaken", "portTakenDo", values);
}

async function lookAtBackups({ backup }: Config): Promise<readonly Observation[]> {
  if (backup.dir === undefined && backup.bucket === undefined) {
    return [doubtful("sBackup", "backupUnset", "backupUnsetDo")];
  }
  return (await placesOf(backup)).map(({ place, count, newest }) => {
    if (newest === undefined) {
      return doubtful("sBackup", "backupNone", "backupNoneDo", { place });
    }
    const age = Date.now() - newest.getTime();
    return age < 2 * DAY_MS
      ? good("sBackup", "backup", { count, place, hours: Math.round(age / 3_600_000) })
      : bad("sBackup", "backupOld", "backupOldDo", { place, days: Math.round(age / DAY_MS) });
  });
}

interface BackupPlace {
  readonly place: string;
  readonly count: number;
  readonly newest: Date | undefined;
}

/** The folder and the bucket of nightly backups, as far as they are set. */
async function placesOf({ dir, bucket: settings }: Config["backup"]): Promise<BackupPlace[]> {
  const places: BackupPlace[] = [];
  if (dir !== undefined) {
    await mkdir(dir, { recursive: true });
    await access(dir, constants.W_OK);
    const names = await listBackups(dir);
    const newest = names.at(-1);
    places.push({
      place: dir,
      count: names.length,
      newest: newest === undefined ? undefined : (await stat(join(dir, newest))).mtime,
    });
  }
  if (settings !== undefined) {
    const bucket = await openBucketOf(settings);
    try {
      const found = await listBucketBackups(bucket, settings.prefix);
      places.push({ place: `s3:${settings.bucket}`, count: found.length, newest: found.at(-1)?.storedAt });
    } finally {
      bucket.close();
    }
  }
  return places;
}

import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { buffer } from "node:stream/consumers";
import pg from "pg";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { createTestDatabase, testLog } from "#server/testing/database.ts";
import { inDatabase, onServer } from "#server/testing/server.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createScratchDatabase, dropDatabase, openDatabase } from "#server/platform/db/index.ts";
import { createSweep, openBucketOf, openStorage, storageKey } from "#server/platform/storage/index.ts";
import { createOperator } from "#server/features/setup/index.ts";
import { readConfig } from "#server/platform/config/index.ts";
import { createLog } from "#server/platform/log/index.ts";
import type { Services } from "#server/platform/services.ts";
import { startS3 } from "#server/testing/s3.ts";
import {
  backUp,
  createNightlyBackup,
  deleteOldBackups,
  deleteOldBucketBackups,
  downloadBackup,
  findBucketBackup,
  listBackups,
  listBucketBackups,
  makeBackup,
  readArchive,
  restore,
  verifyBackup,
  writeArchive,
} from "./index.ts";

const now = new Date("2026-03-01T04:10:00Z");
const passphrase = "uma frase longa";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "prosa-backup-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** An installation with an operator and a file, and another one that is empty. */
async function openHouses() {
  const from = await createTestDatabase({ closeAfterTest: true });
  await createOperator(from.db, { company: "Casa Ímã", email: "chefe@example.com", password: "long enough" });
  const files = await openStorage(undefined, await folder());
  await files.put(storageKey(1, "media", "foto.jpg"), Readable.from([Buffer.from("uma foto")]), {
    contentType: "image/jpeg",
  });

  const name = `prosa_elsewhere_${process.pid}_${Date.now()}`;
  const url = inDatabase(from.url, name);
  const template = new URL(inject("templateUrl")).pathname.slice(1);
  await onServer(from.url, (client) => client.query(`create database ${name} template ${template} strategy file_copy`));
  onTestFinished(() =>
    onServer(from.url, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        "select datname as name from pg_database where datname like $1",
        [`${name}%`],
      );
      for (const row of rows) {
        await client.query(`drop database ${row.name} with (force)`);
      }
    }),
  );
  return { from, files, url, elsewhere: await openStorage(undefined, await folder()) };
}

async function rowsOf(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

test("a backup under load holds one moment, and is restored elsewhere with its files, keys and sequences (E-03)", async () => {
  const { from, files, url, elsewhere } = await openHouses();
  const writing = new AbortController();
  const storm = (async () => {
    while (!writing.signal.aborted) {
      await from.inCompany(1, async (ctx) => {
        ctx.enqueue({ task: "first", payload: {} });
        ctx.enqueue({ task: "second", payload: {} });
        ctx.emit({ type: "counted", payload: {} });
      });
    }
  })();
  await sleep(50);
  const backup = await backUp({ url: from.url, storage: files, keys: ["chave"], passphrase }, await folder(), now);
  writing.abort();
  await storm;
  expect(backup.file).toMatch(/prosa-20260301-041000\.tar\.zst\.age$/u);
  await verifyBackup({ file: backup.file, passphrase, url: from.url, log: testLog });

  const accepted: unknown[] = [];
  const put = vi.spyOn(elsewhere, "put");
  const { keptDatabase } = await restore(
    {
      file: backup.file,
      passphrase,
      url,
      log: testLog,
      storage: elsewhere,
      acceptKeys: async (_fingerprint, keys) => void accepted.push(keys),
    },
    now,
  );
  expect([accepted, keptDatabase]).toEqual([[["chave"]], expect.stringMatching(/_before_20260301041000$/u)]);
  expect(await rowsOf(url, "select name from companies")).toEqual([{ name: "Casa Ímã" }]);
  expect(await buffer(await elsewhere.get(storageKey(1, "media", "foto.jpg")))).toEqual(Buffer.from("uma foto"));
  // a file may be larger than what a bucket takes in small parts
  expect(put.mock.calls.map(([, , { isHuge }]) => isHuge)).toEqual([true]);
  // Both are written by each transaction of the storm, so they are as many at any moment.
  const [counts] = await rowsOf(
    url,
    `select count(*) filter (where task = 'first')::int as first, count(*) filter (where task = 'second')::int as second,
      (select count(*) from event_log)::int as events from jobs`,
  );
  const { first, second, events } = counts as { first: number; second: number; events: number };
  expect([first > 0, second, events]).toEqual([true, first, 0]);
  // The next id is free, and foreign keys hold again.
  await rowsOf(url, "insert into jobs (task, payload, run_at, max_attempts) values ('next', '{}', now(), 1)");
  await expect(rowsOf(url, "update users set company_id = 99")).rejects.toThrow(/foreign key/u);
});

test("a backup that is damaged, cut short or opened with another passphrase changes nothing (E-03)", async () => {
  const { from, files, url, elsewhere } = await openHouses();
  const source = { url: from.url, storage: files, keys: ["chave"] };
  const whole = await backUp({ ...source, passphrase: undefined }, await folder(), now);
  const sealed = await backUp({ ...source, passphrase }, await folder(), now);
  const bytes = await readFile(whole.file);
  const damaged = join(await folder(), "damaged.tar.zst");
  const middle = Math.floor(bytes.length / 2);
  await writeFile(damaged, Buffer.concat([bytes.subarray(0, middle), Buffer.from("xxxx"), bytes.subarray(middle + 4)]));
  const short = join(await folder(), "short.tar.zst");
  await writeFile(short, bytes.subarray(0, middle));
  const other = join(await folder(), "other.tar.zst");
  await writeFile(other, "no backup at all");

  const more = { url, log: testLog, storage: elsewhere, acceptKeys: async () => undefined };
  for (const [file, word] of [
    [damaged, undefined],
    [short, undefined],
    [other, undefined],
    [sealed.file, undefined],
    [sealed.file, "uma outra frase"],
  ] as const) {
    await expect(restore({ ...more, file, passphrase: word }, now), file).rejects.toThrow();
  }
  expect(await rowsOf(url, "select name from companies")).toEqual([]);
  const left = await onServer(from.url, (client) =>
    client.query(
      "select datname from pg_database where datname like 'prosa_restore_%' or datname like 'prosa_verify_%'",
    ),
  );
  expect(left.rows).toEqual([]);
});

test("a damaged file of a backup changes none that is in the storage, and leaves none (E-03)", async () => {
  const { from, files, url, elsewhere } = await openHouses();
  const kept = storageKey(1, "media", "kept.jpg");
  await files.put(kept, Buffer.from("fica aqui"), { contentType: "image/jpeg" });
  const whole = await backUp(
    { url: from.url, storage: files, keys: ["chave"], passphrase: undefined },
    await folder(),
    now,
  );
  const damaged = join(await folder(), "prosa-20260302-041000.tar.zst");
  await writeArchive(damaged, undefined, async (archive) => {
    for await (const { name, body } of readArchive(whole.file, undefined)) {
      const bytes = await buffer(body);
      if (name.startsWith("files/")) {
        bytes[0]! ^= 1;
      }
      await archive.add(name, bytes.length, Readable.from([bytes]));
    }
  });
  const textOf = async (key: string) => (await buffer(await elsewhere.get(key))).toString();
  const options = { url, log: testLog, storage: elsewhere, passphrase: undefined, acceptKeys: async () => undefined };
  await elsewhere.put(kept, Buffer.from("fica aqui"), { contentType: "image/jpeg" });
  await expect(restore({ ...options, file: damaged }, now)).rejects.toThrow("files of the backup are not those");
  expect(await textOf(kept)).toBe("fica aqui");
  expect(await elsewhere.stat(storageKey(1, "media", "foto.jpg"))).toBeUndefined();

  await restore({ ...options, file: whole.file }, now);
  expect([await textOf(kept), await textOf(storageKey(1, "media", "foto.jpg"))]).toEqual(["fica aqui", "uma foto"]);
});

test("a restore beside a Prosa that still runs is refused before it begins, and a mistyped file before that (E-03)", async () => {
  const { from, files, url, elsewhere } = await openHouses();
  const { file } = await backUp({ url: from.url, storage: files, keys: ["chave"], passphrase }, await folder(), now);
  const running = new pg.Client({ connectionString: url });
  await running.connect();
  const acceptKeys = vi.fn<() => Promise<void>>();
  const options = { url, log: testLog, storage: elsewhere, passphrase, acceptKeys };
  const mistyped = restore({ ...options, file: join(await folder(), "mistyped.tar.zst") }, now);
  await expect(mistyped).rejects.toThrow("there is no such file");
  await expect(restore({ ...options, file }, now)).rejects.toThrow(
    /^The database prosa_elsewhere_\w+ is in use\. Stop every process of Prosa/u,
  );
  expect(acceptKeys).not.toHaveBeenCalled();
  await running.end();
});

test("the trial of a backup and a restore tell of the scratch database in one line, not of each migration in it (E-03)", async () => {
  const { from, files, url, elsewhere } = await openHouses();
  const source = { url: from.url, storage: files, keys: ["chave"], passphrase: undefined };
  const { file } = await backUp(source, await folder(), now);
  const lines: string[] = [];
  const log = createLog({ level: "info", to: { write: (line) => void lines.push(line) } });
  const said = () => lines.splice(0).map((line) => (JSON.parse(line) as { msg: string }).msg);

  await verifyBackup({ file, passphrase: undefined, url: from.url, log });
  expect(said()).toEqual(["restoring the backup into a scratch database"]);
  const options = { file, passphrase: undefined, url, log, storage: elsewhere, acceptKeys: async () => undefined };
  await restore(options, now);
  expect(said()).toEqual(["restoring the backup into a scratch database"]);
});

test("files that only the replaced database knows stay for 30 days after a restore, so that one can go back to it (E-03)", async () => {
  const { from, files, url, elsewhere } = await openHouses();
  const source = { url: from.url, storage: files, keys: ["chave"], passphrase: undefined };
  const { file } = await backUp(source, await folder(), now);
  const put = async (name: string) => {
    const key = storageKey(1, "media", name);
    await elsewhere.put(key, Buffer.from(name), { contentType: "image/jpeg" });
    return key;
  };
  const since = await put("since-the-backup.jpg");
  // File times are real, so the others are set relative to them.
  const restoredAt = new Date(Date.now() + 1_000);
  const options = { file, url, log: testLog, storage: elsewhere, passphrase: undefined };
  await restore({ ...options, acceptKeys: async () => undefined }, restoredAt);
  await expect.poll(() => Date.now()).toBeGreaterThan(restoredAt.getTime());
  const later = await put("after-the-restore.jpg");

  const db = openDatabase({ url, log: testLog, max: 1, systemMax: 1 });
  onTestFinished(() => db.close());
  const sweep = createSweep(elsewhere, [{ folder: "media", referenced: async () => [] }]);
  const sweepAfter = (days: number) => {
    const clock = createMovedClock(new Date(restoredAt.getTime() + days * 86_400_000));
    return sweep.run({ db, clock, log: testLog, signal: new AbortController().signal });
  };
  const isThere = async (key: string) => (await elsewhere.stat(key)) !== undefined;
  await sweepAfter(29);
  expect([await isThere(since), await isThere(later)]).toEqual([true, false]);
  await sweepAfter(31);
  expect(await isThere(since)).toBe(false);
});

test("a backup that cannot be opened is named with its path, whatever its passphrase (E-03)", async () => {
  const path = await folder();
  const read = (file: string, word?: string) => readArchive(file, word).next();
  for (const name of ["mistyped.tar.zst", "mistyped.tar.zst.age"]) {
    await expect(read(join(path, name), passphrase)).rejects.toThrow(`${join(path, name)}: there is no such file`);
    await expect(read(join(path, name))).rejects.toThrow("there is no such file");
  }
  const sealed = join(path, "sealed.tar.zst.age");
  await writeArchive(sealed, passphrase, (archive) => archive.addJson("backup.json", {}));
  await expect(read(sealed, "uma outra frase")).rejects.toThrow("BACKUP_PASSPHRASE: it does not open this backup");
  expect((await read(sealed, passphrase)).value).toMatchObject({ name: "backup.json", size: 2 });
  await expect(read(path)).rejects.toThrow(`${path}: this is a folder`);
});

test("a backup that cannot be compared is none (E-03)", async () => {
  const { from, files } = await openHouses();
  const user = `prosa_plain_${process.pid}_${Date.now()}`;
  const owner = new URL(from.url).username;
  await onServer(from.url, (client) => client.query(`create role ${user} login bypassrls; grant ${owner} to ${user}`));
  onTestFinished(() => onServer(from.url, async (client) => void (await client.query(`drop role ${user}`))));
  const path = await folder();
  const config = readConfig({ DATA_DIR: await folder(), BACKUP_DIR: path, SECRET_KEY: "k".repeat(32) });
  const ownerUrl = Object.assign(new URL(from.url), { username: user }).href;
  const order = { config, storage: files, ownerUrl, log: testLog, folder: path, toBucket: false };
  await expect(makeBackup({ ...order, mustVerify: true }, now)).rejects.toThrow("may not create databases");
  expect(await readdir(path)).toEqual([]);
  await makeBackup({ ...order, mustVerify: false }, now);
  expect(await listBackups(path)).toEqual(["prosa-20260301-041000.tar.zst"]);
});

test("where only the upload of the night's backup fails, the next attempt uploads the same file (E-03)", async () => {
  const { from, files } = await openHouses();
  const { settings, objects } = await startS3();
  const path = await folder();
  const attempt = async (endpoint: string | undefined, at: string) => {
    const config = readConfig({
      DATA_DIR: await folder(),
      BACKUP_DIR: path,
      BACKUP_BUCKET: settings.bucket,
      S3_ENDPOINT: endpoint,
      S3_PATH_STYLE: "on",
      BACKUP_S3_ACCESS_KEY_ID: "a",
      BACKUP_S3_SECRET_ACCESS_KEY: "s",
      SECRET_KEY: "k".repeat(32),
    });
    const services = { config, storage: files, log: testLog } as unknown as Services;
    const [cron] = createNightlyBackup(services, from.url);
    await cron?.run({ clock: createMovedClock(at), db: from.db, log: testLog, signal: new AbortController().signal });
  };
  const night = "prosa-20260301-041002.tar.zst";
  await expect(attempt("http://127.0.0.1:1", "2026-03-01T04:10:02Z")).rejects.toThrow();
  expect(await listBackups(path)).toEqual([night]);
  await attempt(settings.endpoint, "2026-03-01T04:10:20Z");
  expect(await listBackups(path)).toEqual([night]);
  expect([...objects.keys()]).toEqual([`/b/prosa-backups/${night}`]);
  await attempt(settings.endpoint, "2026-03-02T04:10:01Z");
  expect(await listBackups(path)).toHaveLength(2);
});

test("only the newest backups stay, and files of others are left alone (E-03)", async () => {
  const path = await folder();
  const names = [
    "prosa-20260301-041000.tar.zst",
    "prosa-20260302-041000.tar.zst.age",
    "prosa-20260303-041000.tar.zst",
    "minha.zip",
  ];
  await Promise.all(names.map((name) => writeFile(join(path, name), "")));
  expect(await deleteOldBackups(path, 2)).toBe(1);
  expect((await readdir(path)).toSorted()).toEqual(["minha.zip", ...names.slice(1, 3)]);
});

test("backups lie in a bucket, compared there, thinned out, and are restored from it; what a killed verification left goes (E-03)", async () => {
  const { from, files, url, elsewhere } = await openHouses();
  const { settings, objects } = await startS3();
  const config = readConfig({
    DATA_DIR: await folder(),
    BACKUP_BUCKET: settings.bucket,
    BACKUP_PREFIX: "casa/backups/",
    S3_ENDPOINT: settings.endpoint,
    S3_PATH_STYLE: "on",
    BACKUP_S3_ACCESS_KEY_ID: "a",
    BACKUP_S3_SECRET_ACCESS_KEY: "s",
    BACKUP_PASSPHRASE: passphrase,
    SECRET_KEY: "k".repeat(32),
  });
  expect(config.s3).toBeUndefined();
  // a verification that was killed, and one that goes on
  const left = "prosa_verify_0123456789";
  await onServer(from.url, (client) => client.query(`create database ${left}`));
  const running = await createScratchDatabase(from.url, "verify");
  onTestFinished(() => dropDatabase(running));

  const order = { config, storage: files, ownerUrl: from.url, log: testLog, folder: undefined, toBucket: true };
  const { places, checks } = await makeBackup({ ...order, mustVerify: true }, now);
  expect(places).toEqual(["s3:prosa-20260301-041000.tar.zst.age"]);
  expect([...objects.keys()]).toEqual(["/b/casa/backups/prosa-20260301-041000.tar.zst.age"]);
  expect(await readdir(config.dataDir)).toEqual([]);
  const names = await rowsOf(from.url, "select datname from pg_database where datname like 'prosa_verify_%'");
  expect(names).not.toContainEqual({ datname: left });
  expect(names).toContainEqual({ datname: new URL(running).pathname.slice(1) });

  const bucket = await openBucketOf(settings);
  const prefix = "casa/backups/";
  onTestFinished(() => bucket.close());
  for (const day of ["2026-03-02", "2026-03-03"]) {
    await makeBackup({ ...order, mustVerify: false }, new Date(`${day}T04:10:00Z`));
  }
  objects.set("/b/casa/backups/notes.txt", Buffer.from("not ours"));
  // of another installation in the same bucket
  const others = "/b/prosa-backups/prosa-20260101-041000.tar.zst";
  objects.set(others, Buffer.from("not ours"));
  expect(await deleteOldBucketBackups(bucket, prefix, 2, now)).toBe(1);
  expect((await listBucketBackups(bucket, prefix)).map(({ name }) => name)).toEqual([
    "prosa-20260302-041000.tar.zst.age",
    "prosa-20260303-041000.tar.zst.age",
  ]);
  expect(objects.has("/b/casa/backups/notes.txt")).toBe(true);
  expect(objects.has(others)).toBe(true);

  const find = (given: string) => findBucketBackup(bucket, prefix, given);
  await expect(find("s3:prosa-20260301-041000.tar.zst.age")).rejects.toThrow("no such backup");
  await expect(find("s3:../secret.key")).rejects.toThrow("not the name of a backup");
  await expect(find("s3:notes.txt")).rejects.toThrow("not the name of a backup");
  const file = await downloadBackup(bucket, prefix, await find("s3:latest"), config.dataDir);
  const restored = await restore(
    { file, passphrase, url, log: testLog, storage: elsewhere, acceptKeys: async () => undefined },
    now,
  );
  expect(restored.checks.files).toEqual(checks.files);
  expect(await rowsOf(url, "select name from companies")).toEqual([{ name: "Casa Ímã" }]);
  expect((await buffer(await elsewhere.get(storageKey(1, "media", "foto.jpg")))).toString()).toBe("uma foto");
});

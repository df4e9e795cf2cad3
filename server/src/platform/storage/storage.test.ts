import { createHash, randomBytes } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "#server/platform/clock/index.ts";
import type { Cron } from "#server/platform/jobs/index.ts";
import { testLog } from "#server/testing/database.ts";
import { startS3 } from "#server/testing/s3.ts";
import { createLocalStorage } from "./local.ts";
import { createS3Storage } from "./s3.ts";
import { StorageMiss, storageKey } from "./storage.ts";
import type { Storage } from "./storage.ts";
import { createUploadSweep, makeUploadFolder } from "./upload-folders.ts";

const key = storageKey(7, "media", "photo.png");

async function localStorage(): Promise<Storage> {
  const folder = await mkdtemp(join(tmpdir(), "prosa-files-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return createLocalStorage(folder);
}

async function s3Storage(): Promise<Storage> {
  const { settings } = await startS3();
  const storage = createS3Storage(settings);
  onTestFinished(() => storage.close());
  return storage;
}

async function listed(storage: Storage, companyId: number): Promise<string[]> {
  const keys: string[] = [];
  for await (const each of storage.list(companyId, "media")) {
    keys.push(each);
  }
  return keys;
}

describe.each([
  ["local disk", localStorage],
  ["S3", s3Storage],
])("%s", (_where, open) => {
  test("keeps a file, whole and in ranges, until it is deleted", async () => {
    const storage = await open();
    expect(await storage.put(key, Buffer.from("0123456789"), { contentType: "image/png" })).toEqual({ size: 10 });
    expect((await buffer(await storage.get(key))).toString()).toBe("0123456789");
    expect((await buffer(await storage.get(key, { start: 2, end: 4 }))).toString()).toBe("234");
    expect(await storage.stat(key)).toEqual({ size: 10, storedAt: expect.any(Date) });

    await storage.delete(key);
    await storage.delete(key);
    expect(await storage.stat(key)).toBeUndefined();
    await expect(storage.get(key)).rejects.toThrow(StorageMiss);
  });

  test("lists one folder of one company", async () => {
    const storage = await open();
    const keys = [
      key,
      storageKey(7, "media", "voice.ogg"),
      storageKey(7, "imports", "a.csv"),
      storageKey(70, "media", "b"),
    ];
    for (const each of keys) {
      await storage.put(each, Buffer.from("x"), { contentType: "image/png" });
    }
    expect((await listed(storage, 7)).toSorted()).toEqual(keys.slice(0, 2).toSorted());
    expect(await listed(storage, 8)).toEqual([]);
  });

  test("deletes every file of one company, and none of another", async () => {
    const storage = await open();
    const own = [1, 2, 3, 4, 5].map((n) => storageKey(7, n % 2 ? "media" : "imports", `${n}.bin`));
    const others = [storageKey(70, "media", "1.bin"), storageKey(8, "media", "1.bin")];
    for (const each of [...own, ...others]) {
      await storage.put(each, Buffer.from("x"), { contentType: "image/png" });
    }
    await storage.deleteCompany(7);
    await storage.deleteCompany(7);
    const there = await Promise.all([...own, ...others].map((each) => storage.stat(each)));
    expect(there.map((file) => file?.size)).toEqual([...own.map(() => undefined), 1, 1]);
  });

  test("takes a stream of many megabytes unchanged", async () => {
    const storage = await open();
    const bytes = randomBytes(12 * 1024 * 1024);
    const chunks = Array.from({ length: 12 }, (_, at) => bytes.subarray(at * 1024 * 1024, (at + 1) * 1024 * 1024));
    expect(await storage.put(key, Readable.from(chunks), { contentType: "video/mp4" })).toEqual({ size: bytes.length });
    const sum = (data: Buffer) => createHash("sha256").update(data).digest("hex");
    expect(sum(await buffer(await storage.get(key)))).toBe(sum(bytes));
  });
});

test("what may be huge goes to a bucket in parts of 32 MB, of which the 10,000 that it takes are 320 GB (E-03, E-09)", async () => {
  const { settings, parts, objects } = await startS3();
  const storage = createS3Storage(settings);
  onTestFinished(() => storage.close());
  const mega = randomBytes(1024 * 1024);
  const put = (megabytes: number, isHuge: boolean) =>
    storage.put(key, Readable.from(Array<Buffer>(megabytes).fill(mega)), { contentType: "application/zip", isHuge });
  const sizes = () =>
    [...parts].toSorted(([a], [b]) => Number(a) - Number(b)).map(([, { length }]) => length / mega.length);
  expect(await put(33, true)).toEqual({ size: 33 * mega.length });
  expect([sizes(), objects.get(`/b/${key}`)?.length]).toEqual([[32, 1], 33 * mega.length]);
  await put(6, false);
  expect(sizes()).toEqual([5, 1]);
});

test("a file whose sender breaks off is not there at all", async () => {
  const folder = await mkdtemp(join(tmpdir(), "prosa-files-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const storage = createLocalStorage(folder);
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from("half");
      throw new Error("connection lost");
    })(),
  );
  await expect(storage.put(key, broken, { contentType: "image/png" })).rejects.toThrow("connection lost");
  expect(await storage.stat(key)).toBeUndefined();
  expect(await readdir(join(folder, "incoming"))).toEqual([]);
});

test.each([
  "../../etc/passwd",
  "company/1/../2/x",
  "company/1/./x",
  "/company/1/x",
  "company/1/",
  "company/x/a",
  "company/1/a\0b",
])("%j is no key", async (bad) => {
  const storage = await localStorage();
  await expect(storage.stat(bad)).rejects.toThrow(/Not a storage key/);
});

test("what an upload that broke off left behind is let go of, a younger one is not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "prosa-files-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const incoming = join(folder, "incoming");
  await mkdir(incoming);
  await writeFile(join(incoming, "old"), "half");
  await utimes(join(incoming, "old"), new Date("2026-01-01"), new Date("2026-01-01"));
  await writeFile(join(incoming, "young"), "half");
  await createLocalStorage(folder).deleteStaleUploads(new Date("2026-01-02"));
  expect(await readdir(incoming)).toEqual(["young"]);
});

test("folders of uploads whose process was killed go a day later, those of uploads under way and other folders stay", async () => {
  const folder = await mkdtemp(join(tmpdir(), "prosa-data-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [killed, slow, young] = [1, 2, 3].map(() => makeUploadFolder(folder));
  await mkdir(join(folder, "files"));
  const longAgo = new Date(Date.now() - 25 * 3_600_000);
  for (const path of [await killed!, await slow!, join(folder, "files")]) {
    await writeFile(join(path, "0"), "half");
    await utimes(join(path, "0"), longAgo, longAgo);
    await utimes(path, longAgo, longAgo);
  }
  await appendFile(join(await slow!, "0"), " more");

  const deps = { clock: systemClock, log: testLog } as Parameters<Cron["run"]>[0];
  await createUploadSweep(folder).run(deps);
  const left = await readdir(folder);
  expect(left.toSorted()).toEqual([await slow!, await young!, "files"].map((path) => basename(path)).toSorted());
});

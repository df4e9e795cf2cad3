import type * as Files from "node:fs/promises";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { testLog } from "#server/testing/database.ts";
import { createFreeSpace } from "./free-space.ts";
import type { Storage } from "./storage.ts";

const disk = vi.hoisted(() => ({ blocks: 0, bavail: 0, bsize: 4_096 }));
vi.mock("node:fs/promises", async (original) => ({ ...(await original<typeof Files>()), statfs: async () => disk }));

async function aDisk(put: Storage["put"]) {
  const dataDir = await mkdtemp(join(tmpdir(), "prosa-room-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const storage = { put: vi.fn<Storage["put"]>(put), delete: async () => undefined };
  const db = { systemTx: async () => Promise.reject(new Error("the database was not full")) };
  return { dataDir, storage, freeSpace: createFreeSpace({ db, storage, dataDir, log: testLog }) };
}

const saves = async () => ({ size: 1 });
const noSpace = async () => Promise.reject(Object.assign(new Error("ENOSPC"), { code: "ENOSPC" }));

test("a file system that reports 0 blocks is not probed", async () => {
  Object.assign(disk, { blocks: 0, bavail: 0 });
  const { freeSpace, storage } = await aDisk(saves);
  expect(await freeSpace.check()).toEqual({ database: true, files: true });
  expect(storage.put).not.toHaveBeenCalled();
});

test("a disk that reports little free space is full only when a probe fails (E-03)", async () => {
  Object.assign(disk, { blocks: 1_000, bavail: 1 });
  const roomy = await aDisk(saves);
  expect(await roomy.freeSpace.check()).toEqual({ database: true, files: true });
  expect(roomy.storage.put).toHaveBeenCalledOnce();
  expect(await readdir(roomy.dataDir)).toEqual([]);

  const { freeSpace } = await aDisk(noSpace);
  expect(await freeSpace.check()).toEqual({ database: true, files: false });
});

import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Storage } from "#server/platform/storage/index.ts";
import { readPictureMetadata } from "./picture-metadata.ts";
import { storeUploads } from "./store-uploads.ts";

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), "prosa-pictures-"))));
afterAll(() => rm(folder, { recursive: true }));

async function aPicture(name: string, format: "png" | "jpeg", [width, height]: readonly [number, number]) {
  const path = join(folder, name);
  await sharp({ create: { width, height, channels: 3, background: "#38a" } })
    .toFormat(format)
    .toFile(path);
  return path;
}

/**
 * Runs something; how many pictures held a thread of libuv's pool, or awaited one, at most. Never their sum: a picture that gets its thread
 * between the two reads is in both.
 */
async function picturesAtOnce(run: () => Promise<unknown>): Promise<number> {
  let [most, isRunning] = [0, true];
  const ended = run().finally(() => (isRunning = false));
  while (isRunning) {
    const { queue, process: working } = sharp.counters();
    most = Math.max(most, queue, working);
    await setImmediate();
  }
  await ended;
  return most;
}

test("however many pictures come at once, one takes a thread: passwords, files and names need the others (M-06, E-01)", async () => {
  const path = await aPicture("large.png", "png", [3_000, 3_000]);
  const storage = {
    put: async (_key: string, stream: Readable) => ({ size: (await buffer(stream)).length }),
  } as unknown as Storage;
  const upload = { path, name: "large.png", contentType: "image/png", size: 1, stream: () => createReadStream(path) };
  const uploads = Array.from({ length: 5 }, () => upload);
  const most = await picturesAtOnce(async () => {
    const stored = await Promise.all([
      storeUploads(storage, 1, uploads, false),
      storeUploads(storage, 2, uploads, false),
    ]);
    expect(stored.flat().map(({ width, thumbnail }) => [width, thumbnail !== null])).toEqual(
      Array.from({ length: 10 }, () => [3_000, true]),
    );
  });
  expect(most).toBe(1);
});

test("a picture of 41 megapixels that is decoded whole stays a file without a thumbnail, a photo has one (M-06)", async () => {
  const none = { width: null, height: null, thumbnail: null };
  const png = await aPicture("huge.png", "png", [8_200, 5_000]);
  expect(await readPictureMetadata(1, png, "image/png")).toEqual(none);
  const photo = await aPicture("huge.jpg", "jpeg", [8_200, 5_000]);
  expect(await readPictureMetadata(1, photo, "image/jpeg")).toMatchObject({ width: 8_200, height: 5_000 });
});

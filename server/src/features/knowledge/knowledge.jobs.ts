import { buffer } from "node:stream/consumers";
import { knowledgeFileTypes } from "@prosa/contract";
import { z } from "zod";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { StorageMiss } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { extractText, splitIntoPassages } from "./extract/index.ts";
import type { Extraction } from "./extract/index.ts";
import { findSource } from "./knowledge.queries.ts";
import { saveReading } from "./knowledge.service.ts";
import type { Reading } from "./knowledge.service.ts";

const readPayload = z.object({ sourceId: z.number().int(), storageKey: z.string() });
const filePayload = readPayload.pick({ storageKey: true });

/**
 * Takes the text out of an uploaded file, in a process of its own, and stores its passages. A file that cannot be stored either ends as
 * unreadable: no source is being read for ever.
 */
export function readFile(storage: Storage): JobHandler {
  return async (job, { inCompany, signal, log }) => {
    const place = readPayload.parse(job.payload);
    const source = await inCompany((ctx) => findSource(ctx, place.sourceId));
    const kind = kindOf(source?.media_type);
    if (source?.media_path !== place.storageKey || !kind) {
      return;
    }
    try {
      const bytes = await stored(storage, place.storageKey);
      const read = bytes ? await extractText(bytes, kind, signal) : ({ failure: "unreadable" } as const);
      await inCompany((ctx) => saveReading(ctx, place, toReading(read)));
    } catch (error) {
      signal.throwIfAborted();
      if (job.attempt < job.maxAttempts) {
        throw error;
      }
      log.warn({ err: error, source: place.sourceId }, "a file of knowledge was read in vain");
      await inCompany((ctx) => saveReading(ctx, place, { failure: "unreadable" }));
    }
  };
}

function toReading(read: Extraction): Reading {
  if ("failure" in read) {
    return read;
  }
  const passages = splitIntoPassages(read.sections);
  return passages.length === 0 ? { failure: "noText" } : { passages, pages: read.pages };
}

/** Deletes a file that no source refers to any more. */
export function deleteFile(storage: Storage): JobHandler {
  return async (job) => storage.delete(filePayload.parse(job.payload).storageKey);
}

function kindOf(mediaType: string | null | undefined) {
  return knowledgeFileTypes[mediaType as keyof typeof knowledgeFileTypes] as
    (typeof knowledgeFileTypes)[keyof typeof knowledgeFileTypes] | undefined;
}

async function stored(storage: Storage, key: string): Promise<Uint8Array | undefined> {
  try {
    return await buffer(await storage.get(key));
  } catch (error) {
    if (error instanceof StorageMiss) {
      return undefined;
    }
    throw error;
  }
}

import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { RetryLater } from "#server/platform/jobs/index.ts";
import type { JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { openPassingFolder } from "#server/platform/passing-folder.ts";
import { scalePicture } from "#server/platform/scale-picture.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { Address, Line } from "#server/whatsapp/port.ts";
import { contactUpdated } from "../contacts.events.ts";
import { findPictureTarget, savePicture } from "./pictures.queries.ts";

/** Rate of one line: hundreds of picture requests at once would look like a robot to WhatsApp. */
const defaultGapMs = 2_000;
const retryOfflineMs = 30_000;
/** Pixels per side: twice what the contact drawer shows. */
const side = 192;

const payload = z.object({ connectionId: z.number(), contactId: z.number() });

export interface PictureJobOptions {
  readonly findLine: (connectionId: number) => Line | undefined;
  readonly storage: Storage;
  /** Between two requests of one line. */
  readonly gapMs?: number;
}

/** Downloads the profile picture of a contact or a group into the storage. */
export function fetchPictureJob({ findLine, storage, gapMs = defaultGapMs }: PictureJobOptions): JobHandler {
  const lastRequest = new Map<number, number>();

  return async (job, deps) => {
    const { connectionId, contactId } = payload.parse(job.payload);
    const target = await deps.inCompany((ctx) => findPictureTarget(ctx, connectionId, contactId));
    if (!target) {
      return;
    }
    const line = findLine(connectionId);
    if (!line) {
      throw new RetryLater(retryOfflineMs, "The line does not run here");
    }
    const pause = (lastRequest.get(connectionId) ?? -Infinity) + gapMs - performance.now();
    if (pause > 0) {
      throw new RetryLater(pause, "The line requested a picture a moment ago");
    }
    lastRequest.set(connectionId, performance.now());

    const companyId = job.companyId ?? 0;
    const bytes = await downloadPicture(line, target.address, companyId).catch((error: unknown) => {
      if (error instanceof RetryLater || job.attempt < job.maxAttempts) {
        throw error;
      }
      deps.log.info({ err: error, contact: contactId }, "profile picture download failed; next try in a week");
      return undefined;
    });
    if (bytes === undefined) {
      return;
    }
    const path = bytes && pictureKey(companyId, contactId, bytes);
    if (path === target.path) {
      return;
    }
    if (path && bytes) {
      await storage.put(path, bytes, { contentType: "image/jpeg" });
    }
    await savePictureOf(deps, contactId, path);
  };
}

/** The picture as it is shown; null if WhatsApp has none or does not show it to this line. */
async function downloadPicture(line: Line, address: Address, companyId: number): Promise<Buffer | null> {
  const { folder, dispose } = await openPassingFolder(tmpdir(), "prosa-picture-");
  try {
    const path = join(folder, "file");
    return (await line.profilePicture(address, path)) === "fetched" ? await thumbnail(path, companyId) : null;
  } catch (error) {
    if (error instanceof SendError && error.reason === "notConnected") {
      throw new RetryLater(retryOfflineMs, "The line is not connected", { cause: error });
    }
    throw error;
  } finally {
    await dispose();
  }
}

/** A small JPEG without metadata; null if the file is no image. */
async function thumbnail(path: string, companyId: number): Promise<Buffer | null> {
  return scalePicture(path, companyId, { side, fit: "cover", quality: 82 }).then(
    ({ jpeg }) => jpeg,
    () => null,
  );
}

/** A key by content: the same picture is the same file. */
function pictureKey(companyId: number, contactId: number, bytes: Buffer): string {
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  return storageKey(companyId, "pictures", `${contactId}-${digest}`);
}

async function savePictureOf({ inCompany }: JobDeps, contactId: number, path: string | null): Promise<void> {
  await inCompany(async (ctx) => {
    if (await savePicture(ctx, contactId, path)) {
      ctx.emit(contactUpdated(contactId));
    }
  });
}

import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Vault } from "#server/platform/auth/index.ts";
import { RetryLater } from "#server/platform/jobs/index.ts";
import type { JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { openPassingFolder } from "#server/platform/passing-folder.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import { MediaError, SendError } from "#server/whatsapp/port.ts";
import type { MediaSource } from "#server/whatsapp/port.ts";
import type { FindLine } from "../line-jobs.ts";
import { messageUpdated } from "../messages.events.ts";
import { maxDownloadAttempts } from "./enqueue-media-download.ts";
import { findMedia, mediaSourceContext, setMediaReady, setMediaState } from "./media.queries.ts";
import type { MediaRow } from "./media.queries.ts";
import { readPictureMetadata } from "./picture-metadata.ts";

/** Retry delay while no line of this process can download (ms). */
const downloadRetryMs = 5_000;
/** The same while the line is not connected, and with it perhaps the host: each attempt is an event to the browsers (ms). */
const offlineRetryMs = 30_000;
export const downloadPayload = z.object({ connectionId: z.number(), messageId: z.number() });

/** Job `media.fetch`: downloads the file of a received message: wanted → fetching → ready, failed or expired (behaviour 3). */
export function downloadMedia(findLine: FindLine, { storage, vault }: { storage: Storage; vault: Vault }): JobHandler {
  return async (job, deps) => {
    const { connectionId, messageId } = downloadPayload.parse(job.payload);
    const media = await deps.inCompany((ctx) => findMedia(ctx, messageId));
    if (!media?.source || media.state === "ready") {
      return;
    }
    const line = findLine(connectionId);
    if (!line) {
      throw new RetryLater(downloadRetryMs, "line not run by this process");
    }
    // The last attempt killed the process, perhaps because of this file: a person decides whether to retry.
    if (job.attempt > maxDownloadAttempts) {
      await saveState(deps, media, "failed", "download attempts used up");
      return;
    }

    await saveState(deps, media, "fetching");
    const source = JSON.parse(vault.open(media.source, mediaSourceContext(connectionId)).toString()) as MediaSource;
    const { folder, dispose } = await openPassingFolder(tmpdir(), "prosa-media-");
    try {
      const path = join(folder, "file");
      await line.download(source, path);
      await storeFile(media, path, { companyId: job.companyId ?? 0, storage, deps });
    } catch (error) {
      const isExpired = error instanceof MediaError && error.state === "expired";
      const isOffline = error instanceof SendError && error.reason === "notConnected";
      if (isOffline || (!isExpired && job.attempt < maxDownloadAttempts)) {
        await saveState(deps, media, "wanted");
        throw isOffline ? new RetryLater(offlineRetryMs, "line not connected", { cause: error }) : error;
      }
      await saveState(
        deps,
        media,
        isExpired ? "expired" : "failed",
        error instanceof Error ? truncateText(error.message, 500) : null,
      );
    } finally {
      await dispose();
    }
  };
}

async function storeFile(
  media: MediaRow,
  path: string,
  { companyId, storage, deps }: { readonly companyId: number; readonly storage: Storage; readonly deps: JobDeps },
): Promise<void> {
  const contentType = media.mimeType?.split(";")[0]?.trim() ?? "application/octet-stream";
  const picture = await readPictureMetadata(companyId, path, contentType);
  const key = storageKey(companyId, "messages", `${media.messageId}-${randomUUID()}`);
  const { size } = await storage.put(key, createReadStream(path), { contentType });
  const isStored = await deps.inCompany(async (ctx) => {
    const thumbnail = media.hasThumbnail ? null : picture.thumbnail;
    const file = { ...picture, thumbnail, storageKey: key, mimeType: contentType, size };
    const isFirst = await setMediaReady(ctx, media.messageId, file);
    if (isFirst) {
      ctx.emit(messageUpdated(media.ticketId, media.messageId));
    }
    return isFirst;
  });
  if (!isStored) {
    await storage.delete(key);
  }
}

async function saveState(
  deps: JobDeps,
  { messageId, ticketId }: MediaRow,
  state: "wanted" | "fetching" | "failed" | "expired",
  reason: string | null = null,
): Promise<void> {
  await deps.inCompany(async (ctx) => {
    if (await setMediaState(ctx, messageId, state, reason)) {
      ctx.emit(messageUpdated(ticketId, messageId));
    }
  });
}

import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Vault } from "#server/platform/auth/index.ts";
import { Later } from "#server/platform/jobs/index.ts";
import type { JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { MediaError } from "#server/whatsapp/port.ts";
import type { MediaSource } from "#server/whatsapp/port.ts";
import type { FindLine } from "../line-jobs.ts";
import { messageUpdated } from "../messages.events.ts";
import { fetchTries } from "./enqueue-media-download.ts";
import { findMedia, mediaSourceContext, setMediaReady, setMediaState } from "./media.queries.ts";
import type { WantedMedia } from "./media.queries.ts";
import { factsOfPicture } from "./picture-metadata.ts";

const awayMs = 5_000;
export const mediaPayload = z.object({ connectionId: z.number(), messageId: z.number() });

/** Fetches the file of a message that came in: wanted → fetching → ready, failed or expired (behaviour 3). */
export function fetchWanted(findLine: FindLine, { storage, vault }: { storage: Storage; vault: Vault }): JobHandler {
  return async (job, deps) => {
    const { connectionId, messageId } = mediaPayload.parse(job.payload);
    const media = await deps.inCompany((ctx) => findMedia(ctx, messageId));
    if (!media?.source || media.state === "ready") {
      return;
    }
    const line = findLine(connectionId);
    if (!line) {
      throw new Later(awayMs, "The line is away");
    }
    // The process went away each time, perhaps because of this file: a person decides whether to try again.
    if (job.attempt > fetchTries) {
      await tell(deps, media, "failed", "The file could not be fetched");
      return;
    }

    await tell(deps, media, "fetching");
    const source = JSON.parse(vault.open(media.source, mediaSourceContext(connectionId)).toString()) as MediaSource;
    const folder = await mkdtemp(join(tmpdir(), "prosa-media-"));
    try {
      const path = join(folder, "file");
      await line.download(source, path);
      await keep(media, path, { companyId: job.companyId ?? 0, storage, deps });
    } catch (error) {
      const isOver = error instanceof MediaError && error.state === "expired";
      if (!isOver && job.attempt < fetchTries) {
        await tell(deps, media, "wanted");
        throw error;
      }
      await tell(
        deps,
        media,
        isOver ? "expired" : "failed",
        error instanceof Error ? error.message.slice(0, 500) : null,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

async function keep(
  media: WantedMedia,
  path: string,
  { companyId, storage, deps }: { readonly companyId: number; readonly storage: Storage; readonly deps: JobDeps },
): Promise<void> {
  const contentType = media.mimeType?.split(";")[0]?.trim() ?? "application/octet-stream";
  const picture = await factsOfPicture(path, contentType);
  const key = storageKey(companyId, "messages", `${media.messageId}-${randomUUID()}`);
  const { size } = await storage.put(key, createReadStream(path), { contentType });
  const isKept = await deps.inCompany(async (ctx) => {
    const thumbnail = media.hasThumbnail ? null : picture.thumbnail;
    const file = { ...picture, thumbnail, storageKey: key, mimeType: contentType, size };
    const isFirst = await setMediaReady(ctx, media.messageId, file);
    if (isFirst) {
      ctx.emit(messageUpdated(media.ticketId, media.messageId));
    }
    return isFirst;
  });
  if (!isKept) {
    await storage.delete(key);
  }
}

async function tell(
  deps: JobDeps,
  { messageId, ticketId }: WantedMedia,
  state: "wanted" | "fetching" | "failed" | "expired",
  reason: string | null = null,
): Promise<void> {
  await deps.inCompany(async (ctx) => {
    if (await setMediaState(ctx, messageId, state, reason)) {
      ctx.emit(messageUpdated(ticketId, messageId));
    }
  });
}

import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { z } from "zod";
import { Later } from "#server/platform/jobs/index.ts";
import type { JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { Address, Line } from "#server/whatsapp/port.ts";
import { contactUpdated } from "./contacts.events.ts";
import { findPictured, savePicture } from "./pictures.queries.ts";

/** A line asks for so few: a desk that comes back to a thousand conversations must not look like a robot. */
const usualGapMs = 2_000;
const awayMs = 30_000;
/** Pixels a side: the drawer shows half of it. */
const side = 192;
/** A larger picture is a bomb, not a face. */
const mostPixels = 20_000_000;

const payload = z.object({ connectionId: z.number(), contactId: z.number() });

export interface PictureParts {
  readonly findLine: (connectionId: number) => Line | undefined;
  readonly storage: Storage;
  /** Between two questions of one line. */
  readonly gapMs?: number;
}

/** Fetches the picture of a contact or a group and keeps it as a file of ours. */
export function fetchPicture({ findLine, storage, gapMs = usualGapMs }: PictureParts): JobHandler {
  const lastAsked = new Map<number, number>();

  return async (job, deps) => {
    const { connectionId, contactId } = payload.parse(job.payload);
    const pictured = await deps.inCompany((ctx) => findPictured(ctx, connectionId, contactId));
    if (!pictured) {
      return;
    }
    const line = findLine(connectionId);
    if (!line) {
      throw new Later(awayMs, "The line is away");
    }
    const pause = (lastAsked.get(connectionId) ?? -Infinity) + gapMs - performance.now();
    if (pause > 0) {
      throw new Later(pause, "The line asked for a picture a moment ago");
    }
    lastAsked.set(connectionId, performance.now());

    const bytes = await ask(line, pictured.address).catch((error: unknown) => {
      if (error instanceof Later || job.attempt < job.maxAttempts) {
        throw error;
      }
      deps.log.info(
        { err: error, contact: contactId },
        "a picture could not be fetched; it is asked for again in a week",
      );
      return undefined;
    });
    if (bytes === undefined) {
      return;
    }
    const path = bytes && keyOf(job.companyId ?? 0, contactId, bytes);
    if (path === pictured.path) {
      return;
    }
    if (path && bytes) {
      await storage.put(path, bytes, { contentType: "image/jpeg" });
    }
    await show(deps, contactId, path);
  };
}

/** The picture as it is shown; null where there is none for us. */
async function ask(line: Line, address: Address): Promise<Buffer | null> {
  const folder = await mkdtemp(join(tmpdir(), "prosa-picture-"));
  try {
    const path = join(folder, "file");
    return (await line.profilePicture(address, path)) === "fetched" ? await small(path) : null;
  } catch (error) {
    if (error instanceof SendError && error.reason === "notConnected") {
      throw new Later(awayMs, "The line is not connected", { cause: error });
    }
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Small and without what a camera wrote into it; null for what is no picture. */
async function small(path: string): Promise<Buffer | null> {
  const picture = sharp(path, { limitInputPixels: mostPixels }).rotate().resize(side, side, { fit: "cover" });
  return picture
    .flatten({ background: "#ffffff" })
    .jpeg({ quality: 82 })
    .toBuffer()
    .catch(() => null);
}

/** By its content: the same picture again is the same file. */
function keyOf(companyId: number, contactId: number, bytes: Buffer): string {
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  return storageKey(companyId, "pictures", `${contactId}-${digest}`);
}

async function show({ inCompany }: JobDeps, contactId: number, path: string | null): Promise<void> {
  await inCompany(async (ctx) => {
    if (await savePicture(ctx, contactId, path)) {
      ctx.emit(contactUpdated(contactId));
    }
  });
}

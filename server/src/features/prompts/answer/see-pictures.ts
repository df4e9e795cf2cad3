import { addAbortSignal } from "node:stream";
import { buffer } from "node:stream/consumers";
import PQueue from "p-queue";
import type { SaidToAssistant } from "#server/features/bot/index.ts";
import { findMediaOfMessages } from "#server/features/messages/index.ts";
import type { JobDeps } from "#server/platform/jobs/index.ts";
import { RetryLater } from "#server/platform/jobs/index.ts";
import type { Picture } from "#server/platform/language-model/index.ts";
import { scalePicture } from "#server/platform/scale-picture.ts";
import type { Services } from "#server/platform/services.ts";
import { StorageMiss } from "#server/platform/storage/index.ts";
import type { HistoryMessage } from "./conversation.ts";

/** Newest pictures of a history that a model is shown: each costs as much as a page of text, and with each question again. */
const mostPictures = 4;
/** Larger files are left to the agents (bytes). */
const maxBytes = 16 * 1024 * 1024;
/** Longest side (pixels): text of a receipt is legible, and models cut larger ones down themselves. */
const side = 1_024;
/** A file that is not there after this long is not waited for. */
const fileWaitMs = 60_000;
const lookAgainMs = 1_500;
/** Pictures in memory at a time, in this process. */
const inMemory = new PQueue({ concurrency: 3 });
/** All pictures of an answer take at most this long (ms): a silent bucket holds up neither the answer nor other companies. */
const timeoutMs = 15_000;

interface Seeing {
  readonly services: Pick<Services, "storage" | "clock">;
  readonly inCompany: JobDeps["inCompany"];
  readonly signal: AbortSignal;
  readonly isLastTry: boolean;
  /** What is to be answered: a picture of it that is on its way is waited for. */
  readonly said: readonly SaidToAssistant[];
  readonly pictureTimeoutMs?: number;
}

/**
 * The history with the newest pictures of the customer, scaled down, as JPEG. One that cannot be read, or not in time, stays a message
 * without. Throws RetryLater while one of the newest is on its way, and the reason of an aborted signal. `pictureTimeoutMs`: a test waits less.
 */
export async function seePictures(
  history: readonly HistoryMessage[],
  { services, inCompany, signal, isLastTry, said, pictureTimeoutMs = timeoutMs }: Seeing,
): Promise<HistoryMessage[]> {
  const ids = history.filter(({ fromMe, mediaType }) => !fromMe && mediaType === "image").flatMap(({ id }) => id ?? []);
  const newest = ids.slice(-mostPictures);
  if (newest.length === 0) {
    return [...history];
  }
  const { files, companyId } = await inCompany(async (ctx) => ({
    files: await findMediaOfMessages(ctx, newest),
    companyId: ctx.companyId,
  }));
  const since = services.clock.now().getTime() - fileWaitMs;
  const awaited = new Set(said.filter(({ storedAt }) => storedAt.getTime() > since).map(({ messageId }) => messageId));
  const isOnItsWay = files.some(
    ({ messageId, state }) => awaited.has(messageId) && (state === "wanted" || state === "fetching"),
  );
  if (isOnItsWay && !isLastTry) {
    throw new RetryLater(lookAgainMs, "a picture is not downloaded yet");
  }
  const pictures = new Map<number, Picture>();
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(pictureTimeoutMs)]);
  for (const { messageId, storageKey, size } of files) {
    const picture =
      storageKey !== null &&
      (size ?? 0) <= maxBytes &&
      (await pictureInTime(services, { key: storageKey, companyId }, inTime));
    signal.throwIfAborted();
    if (picture) {
      pictures.set(messageId, picture);
    }
  }
  return history.map((message) => {
    const picture = message.id === undefined ? undefined : pictures.get(message.id);
    return picture ? { ...message, picture } : message;
  });
}

interface StoredFile {
  readonly key: string;
  readonly companyId: number;
}

/** Undefined where it cannot be read, or not before `signal`, which also ends the turn that it takes. */
async function pictureInTime(
  { storage }: Pick<Services, "storage">,
  file: StoredFile,
  signal: AbortSignal,
): Promise<Picture | undefined> {
  try {
    return await inMemory.add(() => readPicture(storage, file, signal), { signal });
  } catch (error) {
    if (signal.aborted || error instanceof StorageMiss || isUnreadable(error)) {
      return undefined;
    }
    throw error;
  }
}

async function readPicture(
  storage: Services["storage"],
  { key, companyId }: StoredFile,
  signal: AbortSignal,
): Promise<Picture> {
  const bytes = await buffer(addAbortSignal(signal, await storage.get(key)));
  const { jpeg } = await scalePicture(bytes, companyId, { side, fit: "inside", quality: 80, signal });
  return { mimeType: "image/jpeg", bytes: jpeg };
}

/** sharp throws plain errors for what is no picture; those of the system have a code. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Error && !("code" in error);
}

import { addAbortSignal } from "node:stream";
import { buffer } from "node:stream/consumers";
import PQueue from "p-queue";
import { longestPauseMs } from "#server/features/bot/index.ts";
import type { SaidToAssistant } from "#server/features/bot/index.ts";
import { companyProfileOf } from "#server/features/companies/index.ts";
import { findRecording, saveTranscript } from "#server/features/messages/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { JobDeps } from "#server/platform/jobs/index.ts";
import { createTurns, RetryLater } from "#server/platform/jobs/index.ts";
import { LanguageModelError } from "#server/platform/language-model/index.ts";
import type { Services } from "#server/platform/services.ts";
import { countUse, findCapFault, tokensOf } from "./ask-prompt.ts";
import type { AskedPrompt, Failure } from "./ask-prompt.ts";
import { maxMinutes, untranscribedNote } from "./untranscribed.ts";
import type { WhyUntranscribed } from "./untranscribed.ts";

/** OpenAI takes no larger files. */
const maxBytes = 25 * 1024 * 1024;
/** A file that is not there after this long is not waited for. */
const fileWaitMs = 90_000;
const lookAgainMs = 1_500;
/** Recordings in memory at a time, in this process, and of one company: a silent service holds up nobody else's. */
const inMemory = new PQueue({ concurrency: 6 });
const perCompany = createTurns(2);
const busyMs = 2_000;

/** How long (ms) one recording may take, and all of an answer, so that one that hangs leaves time for the next and for the answer. */
export interface HearingTimes {
  readonly one: number;
  readonly all: number;
}
const defaultTimes: HearingTimes = { one: 20_000, all: 30_000 };

/** Bytes of a second of WhatsApp's voice (Opus) and of other formats, at most: a sender may say a shorter time than it is. */
const bytesPerSecond = { voice: 8_000, other: 40_000 } as const;
/** As OpenAI counts audio (gpt-4o-transcribe), for services that do not count. */
const tokensPerSecond = 10;

interface Hearing {
  readonly companyId: number;
  readonly services: Pick<Services, "storage" | "clock">;
  readonly inCompany: JobDeps["inCompany"];
  readonly signal: AbortSignal;
  /** What fails now is left untranscribed, and its message says why. */
  readonly isLastTry: boolean;
  /** A test waits less. */
  readonly times?: HearingTimes | undefined;
}

/**
 * Transcribes the voice messages among these that nobody has transcribed, and stores the words with each message at once: a retry
 * finds them there. Throws RetryLater while a file is on its way or others of the company are heard, and LanguageModelError where a retry can help, or where nothing
 * works without an admin. What cannot be transcribed says why in place of its words. One that takes too long keeps no other of them from its
 * turn. Returns the fault where the month's tokens are used.
 */
export async function hearRecordings(
  prompt: AskedPrompt,
  said: readonly SaidToAssistant[],
  hearing: Hearing,
): Promise<Failure | undefined> {
  const recordings = said.filter(({ kind, mediaId }) => kind === "audio" && mediaId !== null);
  if (prompt.row.transcriptionModel === "") {
    return undefined;
  }
  const { one, all } = hearing.times ?? defaultTimes;
  const inTime = AbortSignal.any([hearing.signal, AbortSignal.timeout(all)]);
  const late: LanguageModelError[] = [];
  for (const message of recordings) {
    const outcome = await hear(prompt, message, hearing, AbortSignal.any([inTime, AbortSignal.timeout(one)]));
    if (outcome instanceof LanguageModelError) {
      late.push(outcome);
    } else if (outcome) {
      return outcome;
    }
  }
  if (late[0]) {
    throw late[0];
  }
  return undefined;
}

/** Returns the fault where the month's tokens are used, and the error where `turn` ended first and a retry can help. */
async function hear(
  prompt: AskedPrompt,
  { messageId, storedAt }: SaidToAssistant,
  hearing: Hearing,
  turn: AbortSignal,
): Promise<Failure | LanguageModelError | undefined> {
  const { services, inCompany, companyId, signal, isLastTry } = hearing;
  const recording = await inCompany((ctx) => findRecording(ctx, messageId));
  if (!recording || recording.transcript !== null || recording.state === "failed" || recording.state === "expired") {
    return undefined;
  }
  const { storageKey, size } = recording;
  if (storageKey === null) {
    if (services.clock.now().getTime() - storedAt.getTime() < fileWaitMs) {
      throw new RetryLater(lookAgainMs, "the voice message is not downloaded yet");
    }
    return undefined;
  }
  const leave = async (why: WhyUntranscribed) => {
    await inCompany((ctx) => saveNote(ctx, messageId, why));
    return undefined;
  };
  const mimeType = recording.mimeType ?? "audio/ogg";
  const seconds = secondsOf({ ...recording, mimeType });
  if (seconds > maxMinutes * 60 || (size ?? 0) > maxBytes) {
    return leave("tooLong");
  }
  const atCap = await inCompany((ctx) => findCapFault(ctx, prompt.row.id));
  if (atCap) {
    return atCap;
  }
  const work = () => transcribe(prompt, { messageId, storageKey, mimeType, seconds }, { services, inCompany, turn });
  let done: unknown;
  try {
    done = await perCompany.run(companyId, () => inMemory.add(work, { signal: turn }));
  } catch (thrown) {
    signal.throwIfAborted();
    const error = turn.aborted ? new LanguageModelError("timeout", "no transcript in time", { cause: thrown }) : thrown;
    if (!(error instanceof LanguageModelError) || error.fault === "key") {
      throw error;
    }
    const isOut = (error.retryAfterMs ?? 0) > longestPauseMs;
    if (!error.canRetry || isLastTry || isOut) {
      return leave(error.fault === "timeout" ? "late" : error.fault === "request" ? "refused" : "failed");
    }
    if (error.fault === "timeout") {
      return error;
    }
    throw error;
  }
  if (done !== "busy") {
    return undefined;
  }
  if (isLastTry) {
    return leave("late");
  }
  throw new RetryLater(busyMs * (1 + Math.random()), "others of the company are heard");
}

async function transcribe(
  { model, row }: AskedPrompt,
  recording: { messageId: number; storageKey: string; mimeType: string; seconds: number },
  { services, inCompany, turn: signal }: Pick<Hearing, "services" | "inCompany"> & { readonly turn: AbortSignal },
): Promise<void> {
  const { messageId, storageKey, mimeType, seconds } = recording;
  // The turn may be over before the file is there: a stream that nobody reads any more is closed in any case.
  const bytes = await buffer(addAbortSignal(signal, await services.storage.get(storageKey)));
  const audio = { bytes, name: `audio.${extensionOf(mimeType)}`, mimeType };
  const { text, usage } = await model.transcribe({ model: row.transcriptionModel, audio, signal });
  await inCompany((ctx) => (text === "" ? saveNote(ctx, messageId, "wordless") : saveTranscript(ctx, messageId, text)));
  const isCounted = usage.inputTokens + usage.outputTokens > 0;
  const estimated = { inputTokens: Math.ceil(seconds * tokensPerSecond), outputTokens: tokensOf(text.length) };
  await countUse(inCompany, row.id, isCounted ? usage : estimated);
}

/** As long as the sender says, or as its size shows that it is at least. */
function secondsOf({ seconds, size, mimeType }: { seconds: number | null; size: number | null; mimeType: string }) {
  const perSecond = extensionOf(mimeType) === "ogg" ? bytesPerSecond.voice : bytesPerSecond.other;
  return Math.max(seconds ?? 0, (size ?? 0) / perSecond);
}

/** In place of its words, where agents and the model read them. */
async function saveNote(ctx: Ctx, messageId: number, why: WhyUntranscribed): Promise<void> {
  const { language } = await companyProfileOf(ctx);
  await saveTranscript(ctx, messageId, untranscribedNote(why, language));
}

/** The endings by which the service knows the format. */
function extensionOf(mimeType: string): string {
  const [type = ""] = mimeType.split(";");
  const known: Readonly<Record<string, string>> = {
    "audio/mpeg": "mp3",
    "audio/mp4": "m4a",
    "audio/x-m4a": "m4a",
    "audio/aac": "m4a",
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "audio/webm": "webm",
    "audio/flac": "flac",
  };
  return known[type.trim()] ?? "ogg";
}

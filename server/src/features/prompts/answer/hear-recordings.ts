import PQueue from "p-queue";
import type { Language } from "@prosa/contract/i18n";
import type { SaidToAssistant } from "#server/features/bot/index.ts";
import { companyProfileOf } from "#server/features/companies/index.ts";
import { findRecording, saveTranscript } from "#server/features/messages/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { JobDeps } from "#server/platform/jobs/index.ts";
import { createCompanyTurns, RetryLater } from "#server/platform/jobs/index.ts";
import { LanguageModelError } from "#server/platform/language-model/index.ts";
import type { Services } from "#server/platform/services.ts";
import { countUse, findCapFault, tokensOf } from "./ask-prompt.ts";
import type { AskedPrompt, Failure } from "./ask-prompt.ts";

/** OpenAI takes no larger files. */
const maxBytes = 25 * 1024 * 1024;
/** A file that is not there after this long is not waited for. */
const fileWaitMs = 90_000;
const lookAgainMs = 1_500;
/** Recordings in memory at a time, in this process, and of one company: a silent service holds up nobody else's. */
const inMemory = new PQueue({ concurrency: 6 });
const perCompany = createCompanyTurns(2);
const busyMs = 2_000;
/** All recordings of an answer take at most this long, so that time is left for the answer. */
const timeoutMs = 20_000;

/** A longer recording is left to the agents. */
const maxMinutes = 10;
const tooLong: Readonly<Record<Language, string>> = {
  pt: `[Áudio de mais de ${maxMinutes} minutos: não foi transcrito]`,
  en: `[Recording of more than ${maxMinutes} minutes: not transcribed]`,
  es: `[Audio de más de ${maxMinutes} minutos: no fue transcrito]`,
};
/** Bytes of a second of WhatsApp's voice (Opus) and of other formats, at most: a sender may say a shorter time than it is. */
const bytesPerSecond = { voice: 8_000, other: 40_000 } as const;
/** As OpenAI counts audio (gpt-4o-transcribe), for services that do not count. */
const tokensPerSecond = 10;

interface Hearing {
  readonly companyId: number;
  readonly services: Pick<Services, "storage" | "clock">;
  readonly inCompany: JobDeps["inCompany"];
  readonly signal: AbortSignal;
  /** What fails now is left untranscribed. */
  readonly isLastTry: boolean;
}

/**
 * Transcribes the voice messages among these that nobody has transcribed, and stores the words with each message at once: a retry
 * finds them there. Throws RetryLater while a file is on its way or others of the company are heard, and LanguageModelError where a retry can help, or where nothing
 * works without an admin. What cannot be transcribed stays a voice message without words. Returns the fault where the month's
 * tokens are used.
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
  const signal = AbortSignal.any([hearing.signal, AbortSignal.timeout(timeoutMs)]);
  for (const message of recordings) {
    const fault = await hear(prompt, message, { ...hearing, signal });
    if (fault) {
      return fault;
    }
  }
  return undefined;
}

async function hear(
  prompt: AskedPrompt,
  { messageId, at }: SaidToAssistant,
  hearing: Hearing,
): Promise<Failure | undefined> {
  const { services, inCompany, companyId, signal, isLastTry } = hearing;
  const recording = await inCompany((ctx) => findRecording(ctx, messageId));
  if (!recording || recording.transcript !== null || recording.state === "failed" || recording.state === "expired") {
    return undefined;
  }
  const { storageKey, size } = recording;
  if (storageKey === null) {
    if (services.clock.now().getTime() - at.getTime() < fileWaitMs) {
      throw new RetryLater(lookAgainMs, "the voice message is not downloaded yet");
    }
    return undefined;
  }
  const mimeType = recording.mimeType ?? "audio/ogg";
  const seconds = secondsOf({ ...recording, mimeType });
  if (seconds > maxMinutes * 60) {
    await inCompany((ctx) => saveTooLong(ctx, messageId));
    return undefined;
  }
  if ((size ?? 0) > maxBytes) {
    return undefined;
  }
  const atCap = await inCompany((ctx) => findCapFault(ctx, prompt.row.id));
  if (atCap) {
    return atCap;
  }
  const work = () => transcribe(prompt, { messageId, storageKey, mimeType, seconds }, hearing);
  try {
    const done = await perCompany.run(companyId, () => inMemory.add(work, { signal }));
    if (done === "busy" && !isLastTry) {
      throw new RetryLater(busyMs * (1 + Math.random()), "others of the company are heard");
    }
  } catch (thrown) {
    const error = isTimeout(thrown) ? new LanguageModelError("timeout", "no transcript in time") : thrown;
    const isFinal = error instanceof LanguageModelError && !error.canRetry && error.fault !== "key";
    if (!isFinal && !(isLastTry && error instanceof LanguageModelError && error.canRetry)) {
      throw error;
    }
  }
  return undefined;
}

async function transcribe(
  { model, row }: AskedPrompt,
  recording: { messageId: number; storageKey: string; mimeType: string; seconds: number },
  { services, inCompany, signal }: Hearing,
): Promise<void> {
  const { messageId, storageKey, mimeType, seconds } = recording;
  const bytes = await readFile(services, storageKey);
  const audio = { bytes, name: `audio.${extensionOf(mimeType)}`, mimeType };
  const { text, usage } = await model.transcribe({ model: row.transcriptionModel, audio, signal });
  await inCompany((ctx) => saveTranscript(ctx, messageId, text));
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
async function saveTooLong(ctx: Ctx, messageId: number): Promise<void> {
  const { language } = await companyProfileOf(ctx);
  await saveTranscript(ctx, messageId, tooLong[language]);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

async function readFile({ storage }: Pick<Services, "storage">, key: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of await storage.get(key)) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
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

import PQueue from "p-queue";
import type { SaidToAssistant } from "#server/features/bot/index.ts";
import { findRecording, saveTranscript } from "#server/features/messages/index.ts";
import type { JobDeps } from "#server/platform/jobs/index.ts";
import { RetryLater } from "#server/platform/jobs/index.ts";
import { LanguageModelError } from "#server/platform/language-model/index.ts";
import type { Services } from "#server/platform/services.ts";
import { countUse } from "./ask-prompt.ts";
import type { AskedPrompt } from "./ask-prompt.ts";

/** OpenAI takes no larger files. */
const maxBytes = 25 * 1024 * 1024;
/** A file that is not there after this long is not waited for. */
const fileWaitMs = 90_000;
const lookAgainMs = 1_500;
/** Recordings in memory at a time, in this process. */
const inMemory = new PQueue({ concurrency: 4 });

interface Hearing {
  readonly services: Pick<Services, "storage" | "clock">;
  readonly inCompany: JobDeps["inCompany"];
  readonly signal: AbortSignal;
  /** What fails now is left untranscribed. */
  readonly isLastTry: boolean;
}

/**
 * Transcribes the voice messages among these that nobody has transcribed, and stores the words with each message at once: a retry
 * finds them there. Throws RetryLater while a file is on its way, and LanguageModelError where a retry can help, or where nothing
 * works without an admin. What cannot be transcribed stays a voice message without words.
 */
export async function hearRecordings(
  prompt: AskedPrompt,
  said: readonly SaidToAssistant[],
  hearing: Hearing,
): Promise<void> {
  const recordings = said.filter(({ kind, mediaId }) => kind === "audio" && mediaId !== null);
  if (prompt.row.transcriptionModel === "") {
    return;
  }
  for (const message of recordings) {
    await inMemory.add(() => hear(prompt, message, hearing));
  }
}

async function hear(prompt: AskedPrompt, { messageId, at }: SaidToAssistant, hearing: Hearing): Promise<void> {
  const { services, inCompany, signal, isLastTry } = hearing;
  const recording = await inCompany((ctx) => findRecording(ctx, messageId));
  if (!recording || recording.transcript !== null || recording.state === "failed" || recording.state === "expired") {
    return;
  }
  const { storageKey, mimeType, size } = recording;
  if (storageKey === null) {
    if (services.clock.now().getTime() - at.getTime() < fileWaitMs) {
      throw new RetryLater(lookAgainMs, "the voice message is not downloaded yet");
    }
    return;
  }
  if ((size ?? 0) > maxBytes) {
    return;
  }
  try {
    const bytes = await readFile(services, storageKey);
    const audio = { bytes, name: `audio.${extensionOf(mimeType ?? "")}`, mimeType: mimeType ?? "audio/ogg" };
    const { text, usage } = await prompt.model.transcribe({ model: prompt.row.transcriptionModel, audio, signal });
    await inCompany((ctx) => saveTranscript(ctx, messageId, text));
    await countUse(inCompany, prompt.row.id, usage);
  } catch (error) {
    const isFinal = error instanceof LanguageModelError && !error.canRetry && error.fault !== "key";
    if (!isFinal && !(isLastTry && error instanceof LanguageModelError && error.canRetry)) {
      throw error;
    }
  }
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

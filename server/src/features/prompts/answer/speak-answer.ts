import { randomUUID } from "node:crypto";
import { textMessage } from "#server/features/bot/index.ts";
import type { BotMessage } from "#server/features/bot/index.ts";
import { isTimeout } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";
import type { Speech } from "#server/platform/speech/index.ts";
import { SpeechError } from "#server/platform/speech/index.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import type { AskedPrompt } from "./ask-prompt.ts";

/** A longer answer is sent as text: nobody listens to five minutes. */
const maxSpokenLetters = 1_500;

/** The answer as it is sent, word for word; `error` where it should have been spoken but is text. */
export interface SentAnswer {
  readonly message: BotMessage;
  readonly error: SpeechError | null;
}

/**
 * The answer as a voice message where the prompt has a voice, else as text. The file is stored before the message: one whose answer
 * is not sent, because the process died or an agent accepted, belongs to no message, and the sweep deletes it.
 */
export async function speakAnswer(
  { row, voiceKey }: AskedPrompt,
  text: string,
  {
    companyId,
    speech,
    storage,
    signal,
  }: { companyId: number; speech: Speech; storage: Services["storage"]; signal: AbortSignal },
): Promise<SentAnswer> {
  const asText: BotMessage = { ...textMessage(text), isVerbatim: true, isWithoutPreview: true };
  if (row.voice === "text" || text.length > maxSpokenLetters) {
    return { message: asText, error: null };
  }
  try {
    if (voiceKey === null) {
      throw new SpeechError("key", "the prompt has no key of the speech service");
    }
    const sound = await speech.speak({ text, voice: row.voice, region: row.voiceRegion, key: voiceKey, signal });
    const path = storageKey(companyId, "messages", randomUUID());
    const type = "audio/ogg";
    const { size } = await storage.put(path, sound, { contentType: type });
    const media = { path, name: "audio.ogg", type, size, spoken: text };
    return { message: { text: "", media, fileListId: null, isVerbatim: true, isWithoutPreview: true }, error: null };
  } catch (error) {
    // Time is up: better the text than nothing. Any other abort is of a process that must not go on.
    if (signal.aborted && !isTimeout(signal.reason)) {
      throw signal.reason;
    }
    if (error instanceof SpeechError) {
      return { message: asText, error };
    }
    throw error;
  }
}

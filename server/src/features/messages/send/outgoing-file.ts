import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { FfmpegError } from "#server/platform/ffmpeg/index.ts";
import type { JobDeps } from "#server/platform/jobs/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { Outbound } from "#server/whatsapp/port.ts";
import { factsOfVideo, setSoundLength, setVideoFacts } from "../media/index.ts";
import { messageUpdated } from "../messages.events.ts";
import { contentOf } from "./outbound-content.ts";
import type { LocalFile } from "./outbound-content.ts";
import type { Unsent } from "./send.queries.ts";
import { makeVoiceNote, voiceType } from "./voice-note.ts";
import type { MakeVoiceNote } from "./voice-note.ts";

interface Tools {
  readonly storage: Storage;
  readonly deps: JobDeps;
  readonly convert?: MakeVoiceNote;
}

/** Gives the content with its file on this machine's disk, as lines want it: a voice as a voice note (M-07). */
export async function withFile(
  message: Unsent,
  { storage, deps, convert = makeVoiceNote }: Tools,
  use: (content: Outbound) => Promise<void>,
): Promise<void> {
  const { file } = message;
  if (!file) {
    return use(contentOf(message, null));
  }
  const folder = await mkdtemp(join(tmpdir(), "prosa-send-"));
  try {
    const path = join(folder, "file");
    await pipeline(await storage.get(file.key), createWriteStream(path));
    const needsNote = file.isVoice && file.mimeType !== voiceType;
    const stored = { ...file, path };
    if (needsNote) {
      await use(contentOf(message, await asVoiceNote(message.id, stored, convert, deps)));
    } else if (message.mediaType === "video" && file.seconds === null) {
      await use(contentOf(message, await withFacts(message, stored, deps)));
    } else {
      await use(contentOf(message, stored));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A video goes out with its size, length and a thumbnail; one that cannot be read goes without. */
async function withFacts(message: Unsent, file: LocalFile, deps: JobDeps): Promise<LocalFile> {
  try {
    const facts = await factsOfVideo(file.path, deps.signal);
    await deps.inCompany(async (ctx) => {
      await setVideoFacts(ctx, message.id, facts);
      ctx.emit(messageUpdated(message.ticketId, message.id));
    });
    const thumbnail = facts.thumbnail && Buffer.from(facts.thumbnail).toString("base64");
    return { ...file, ...facts, thumbnail };
  } catch (error) {
    if (error instanceof FfmpegError) {
      deps.log.info({ err: error, message: message.id }, "a video could not be looked into, and goes as it is");
      return file;
    }
    throw error;
  }
}

/**
 * The recording itself stays as it is: browsers play it, and another try can convert it again. What takes too long goes
 * as the sound that it is: the customer hears it, and what was written after it does not wait.
 */
async function asVoiceNote(
  messageId: number,
  file: LocalFile,
  convert: MakeVoiceNote,
  deps: JobDeps,
): Promise<LocalFile> {
  const notePath = `${file.path}.ogg`;
  try {
    const { seconds, waveform } = await convert(file.path, notePath, deps.signal);
    await deps.inCompany((ctx) => setSoundLength(ctx, messageId, seconds));
    const { size } = await stat(notePath);
    return { ...file, mimeType: voiceType, path: notePath, size, seconds, waveform };
  } catch (cause) {
    if (cause instanceof FfmpegError && cause.isTooLong) {
      deps.log.warn({ err: cause, message: messageId }, "a voice took too long to convert, and goes as a sound");
      return { ...file, isVoice: false };
    }
    if (cause instanceof FfmpegError) {
      deps.log.warn({ err: cause, message: messageId }, "a voice could not be converted");
      // It would fail the same way again; a person may still try.
      throw new SendError("voice", false, { cause });
    }
    throw cause;
  }
}

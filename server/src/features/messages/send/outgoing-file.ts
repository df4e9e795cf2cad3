import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { FfmpegError } from "#server/platform/ffmpeg/index.ts";
import type { JobDeps } from "#server/platform/jobs/index.ts";
import { openPassingFolder } from "#server/platform/passing-folder.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { Outbound } from "#server/whatsapp/port.ts";
import { readVideoMetadata, setVideoMetadata, setVoiceMetadata } from "../media/index.ts";
import { messageUpdated } from "../messages.events.ts";
import { toOutbound } from "./outbound-content.ts";
import type { LocalFile } from "./outbound-content.ts";
import type { QueuedMessage } from "./send.queries.ts";
import { convertToVoiceNote, voiceNoteType } from "./voice-note.ts";
import type { ConvertToVoiceNote } from "./voice-note.ts";

interface Tools {
  readonly storage: Storage;
  readonly deps: JobDeps;
  readonly convert?: ConvertToVoiceNote;
}

/**
 * Calls `send` with the content of a message. Its file is copied to a temporary folder meanwhile, because lines send from a
 * path; a recording is converted to a voice note (M-07).
 */
export async function withOutboundContent(
  message: QueuedMessage,
  { storage, deps, convert = convertToVoiceNote }: Tools,
  send: (content: Outbound) => Promise<void>,
): Promise<void> {
  const { file } = message;
  if (!file) {
    return send(toOutbound(message, null));
  }
  const { folder, dispose } = await openPassingFolder(tmpdir(), "prosa-send-");
  try {
    const path = join(folder, "file");
    await pipeline(await storage.get(file.key), createWriteStream(path));
    const isRecording = file.isVoice && file.mimeType !== voiceNoteType;
    const stored = { ...file, path };
    if (isRecording) {
      await send(toOutbound(message, await asVoiceNote(message.id, stored, convert, deps)));
    } else if (message.mediaType === "video" && file.seconds === null) {
      await send(toOutbound(message, await withVideoMetadata(message, stored, deps)));
    } else {
      await send(toOutbound(message, stored));
    }
  } finally {
    await dispose();
  }
}

/** Adds size, length and a thumbnail to a video. One that ffprobe cannot read is sent without. */
async function withVideoMetadata(message: QueuedMessage, file: LocalFile, deps: JobDeps): Promise<LocalFile> {
  try {
    const metadata = await readVideoMetadata(file.path, deps.signal);
    await deps.inCompany(async (ctx) => {
      await setVideoMetadata(ctx, message.id, metadata);
      ctx.emit(messageUpdated(message.ticketId, message.id));
    });
    const thumbnail = metadata.thumbnail && Buffer.from(metadata.thumbnail).toString("base64");
    return { ...file, ...metadata, thumbnail };
  } catch (error) {
    if (error instanceof FfmpegError) {
      deps.log.info({ err: error, message: message.id }, "video metadata unreadable, video sent without it");
      return file;
    }
    throw error;
  }
}

/**
 * Converts a recording for sending. The stored file stays as it is: browsers play it, and a retry can convert it again. If
 * the conversion times out, the recording is sent as an audio file, so that later messages of the chat do not wait.
 */
async function asVoiceNote(
  messageId: number,
  file: LocalFile,
  convert: ConvertToVoiceNote,
  deps: JobDeps,
): Promise<LocalFile> {
  const notePath = `${file.path}.ogg`;
  try {
    const { seconds, waveform } = await convert(file.path, notePath, deps.signal);
    await deps.inCompany((ctx) => setVoiceMetadata(ctx, messageId, { seconds, waveform }));
    const { size } = await stat(notePath);
    return { ...file, mimeType: voiceNoteType, path: notePath, size, seconds, waveform };
  } catch (cause) {
    if (cause instanceof FfmpegError && cause.isTooLong) {
      deps.log.warn({ err: cause, message: messageId }, "voice note conversion timed out, sent as an audio file");
      return { ...file, isVoice: false };
    }
    if (cause instanceof FfmpegError) {
      deps.log.warn({ err: cause, message: messageId }, "voice note conversion failed");
      // The conversion would fail the same way again, so no automatic retry; a person may still retry.
      throw new SendError("voice", false, { cause });
    }
    throw cause;
  }
}

import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { FfmpegError, runFfmpeg } from "#server/platform/ffmpeg/index.ts";

/** The MIME type of voice notes on WhatsApp. */
export const voiceNoteType = "audio/ogg; codecs=opus";

export interface VoiceNote {
  readonly seconds: number;
  /** 64 heights of 0 to 100, which phones draw beside the play button. */
  readonly waveform: Uint8Array;
}

/** Demuxers that read audio only. Playlists are left out: they could name files of this machine. */
const audioFormats = "mp3,ogg,wav,w64,flac,aac,amr,mov,mp4,m4a,3gp,3g2,mj2,matroska,webm";
const mostSeconds = 3_600;
/**
 * Time limit of a conversion, because later messages of the chat wait for it and a file of few bytes may claim to last hours.
 * Ten minutes of speech take six seconds.
 */
const conversionTimeoutMs = 30_000;
const rate = 8_000;
/** Samples in a tenth of a second. */
const step = rate / 10;
const bars = 64;

export type ConvertToVoiceNote = (
  from: string,
  to: string,
  signal: AbortSignal,
  timeoutMs?: number,
) => Promise<VoiceNote>;

/** Converts an audio file to a voice note: Opus in Ogg, mono. Throws FfmpegError if it has no audio or takes too long. */
export const convertToVoiceNote: ConvertToVoiceNote = async (from, to, signal, timeoutMs = conversionTimeoutMs) => {
  const sound = ["-map", "0:a:0", "-ac", "1", "-t", String(mostSeconds)];
  const samples = `${to}.pcm`;
  await runFfmpeg({
    input: from,
    outputs: { note: to, samples },
    args: [
      ...["-loglevel", "error", "-protocol_whitelist", "file", "-format_whitelist", audioFormats, "-i", "input"],
      ...[...sound, "-map_metadata", "-1", "-c:a", "libopus", "-b:a", "32k", "-ar", "48000", "-application", "voip"],
      ...["-f", "ogg", "-y", "note"],
      // A second output of raw samples, from which duration and waveform are computed.
      ...[...sound, "-ar", String(rate), "-f", "s16le", "-y", "samples"],
    ],
    signal,
    timeoutMs,
  });
  const loudness = createLoudnessMeter();
  try {
    for await (const bytes of createReadStream(samples)) {
      loudness.add(bytes as Buffer);
    }
  } finally {
    await rm(samples, { force: true });
  }
  const seconds = loudness.samples() / rate;
  if (seconds === 0) {
    throw new FfmpegError("no audio samples in the file");
  }
  return { seconds, waveform: waveformOf(loudness.steps()) };
};

/** Reads a stream of 16-bit samples and keeps the mean loudness of each tenth of a second. */
function createLoudnessMeter() {
  const steps: number[] = [];
  let count = 0;
  let sum = 0;
  let half: number | undefined;
  return {
    add(bytes: Buffer): void {
      for (const byte of bytes) {
        if (half === undefined) {
          half = byte;
          continue;
        }
        const sample = half | (byte << 8);
        half = undefined;
        sum += sample > 0x7fff ? 0x1_0000 - sample : sample;
        count += 1;
        if (count % step === 0) {
          steps.push(sum / step);
          sum = 0;
        }
      }
    },
    samples: () => count,
    steps: () => (count % step === 0 ? steps : [...steps, sum / (count % step)]),
  };
}

/** The loudest step of each bar, in percent of the loudest step of all. */
export function waveformOf(steps: readonly number[]): Uint8Array {
  const loudest = Math.max(1, ...steps);
  return Uint8Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * steps.length) / bars);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * steps.length) / bars));
    return Math.round((100 * Math.max(0, ...steps.slice(from, to))) / loudest);
  });
}

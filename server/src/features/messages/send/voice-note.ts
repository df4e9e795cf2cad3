import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { FfmpegError, runFfmpeg } from "#server/platform/ffmpeg/index.ts";

/** What phones send and play as a voice note. */
export const voiceType = "audio/ogg; codecs=opus";

export interface VoiceNote {
  readonly seconds: number;
  /** 64 heights of 0 to 100: what a phone draws beside the play button. */
  readonly waveform: Uint8Array;
}

/** Kinds of file that are sound and nothing else: a playlist could name files of ours. */
const readable = "mp3,ogg,wav,w64,flac,aac,amr,mov,mp4,m4a,3gp,3g2,mj2,matroska,webm";
const mostSeconds = 3_600;
/**
 * What waits behind it in the chat waits so long at most: a file of few bytes may claim hours. Ten minutes of speech are
 * six seconds of work.
 */
const mostMs = 30_000;
const rate = 8_000;
/** Samples of a tenth of a second. */
const step = rate / 10;
const bars = 64;

export type MakeVoiceNote = (from: string, to: string, signal: AbortSignal, withinMs?: number) => Promise<VoiceNote>;

/** Makes a voice note of any sound: Opus in Ogg, one channel. Throws FfmpegError where it is none, or takes too long. */
export const makeVoiceNote: MakeVoiceNote = async (from, to, signal, withinMs = mostMs) => {
  const sound = ["-map", "0:a:0", "-ac", "1", "-t", String(mostSeconds)];
  const samples = `${to}.pcm`;
  await runFfmpeg({
    input: from,
    outputs: { note: to, samples },
    args: [
      ...["-loglevel", "error", "-protocol_whitelist", "file", "-format_whitelist", readable, "-i", "input"],
      ...[...sound, "-map_metadata", "-1", "-c:a", "libopus", "-b:a", "32k", "-ar", "48000", "-application", "voip"],
      ...["-f", "ogg", "-y", "note"],
      // The same once more as plain samples: they tell how long and how loud it is.
      ...[...sound, "-ar", String(rate), "-f", "s16le", "-y", "samples"],
    ],
    signal,
    mostMs: withinMs,
  });
  const loudness = createMeter();
  try {
    for await (const bytes of createReadStream(samples)) {
      loudness.hear(bytes as Buffer);
    }
  } finally {
    await rm(samples, { force: true });
  }
  const seconds = loudness.samples() / rate;
  if (seconds === 0) {
    throw new FfmpegError("There is no sound in it");
  }
  return { seconds, waveform: waveformOf(loudness.steps()) };
};

/** Listens to 16-bit samples as they come and keeps one mean loudness for each tenth of a second. */
function createMeter() {
  const steps: number[] = [];
  let count = 0;
  let sum = 0;
  let half: number | undefined;
  return {
    hear(bytes: Buffer): void {
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

/** The loudest of each part, in relation to the loudest of all. */
export function waveformOf(steps: readonly number[]): Uint8Array {
  const loudest = Math.max(1, ...steps);
  return Uint8Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * steps.length) / bars);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * steps.length) / bars));
    return Math.round((100 * Math.max(0, ...steps.slice(from, to))) / loudest);
  });
}

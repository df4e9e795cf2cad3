import { readFile, rm } from "node:fs/promises";
import { z } from "zod";
import { FfmpegError, runFfmpeg } from "#server/platform/ffmpeg/index.ts";

/** What phones show of a video before it is loaded. */
export interface VideoFacts {
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  /** A small JPEG of one of its first frames; null where none could be read. */
  readonly thumbnail: Uint8Array | null;
}

/** Kinds of file that are a video and nothing else: a playlist could name other files. */
const readable = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg";
/** Each of the two looks; what waits behind the video in the chat waits so long at most. */
const mostMs = 15_000;
/** Pixels of the thumbnail's longer side. */
const side = 96;

const probed = z.object({
  streams: z
    .array(
      z.object({
        width: z.number().int().positive(),
        height: z.number().int().positive(),
        side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
      }),
    )
    .min(1),
  format: z.object({ duration: z.coerce.number().nonnegative().catch(0) }),
});

/** Size as it is shown, length and a thumbnail. Throws FfmpegError for what is no video, or takes too long. */
export async function factsOfVideo(path: string, signal: AbortSignal): Promise<VideoFacts> {
  const safe = ["-v", "error", "-protocol_whitelist", "file", "-format_whitelist", readable];
  const printed = await runFfmpeg({
    tool: "ffprobe",
    input: path,
    args: [
      ...[...safe, "-of", "json", "-select_streams", "v:0"],
      ...["-show_entries", "stream=width,height:stream_side_data=rotation:format=duration", "input"],
    ],
    signal,
    mostMs,
  });
  const { streams, format } = readProbe(printed);
  const [{ width, height, side_data_list: sides }] = streams as [z.output<typeof probed>["streams"][number]];
  const isTurned = sides.some(({ rotation = 0 }) => Math.abs(rotation) % 180 === 90);
  return {
    ...(isTurned ? { width: height, height: width } : { width, height }),
    seconds: format.duration,
    thumbnail: await thumbnailOf(path, safe, signal),
  };
}

function readProbe(printed: string): z.output<typeof probed> {
  try {
    return probed.parse(JSON.parse(printed));
  } catch (cause) {
    throw new FfmpegError("There is no video in it", { cause });
  }
}

async function thumbnailOf(path: string, safe: readonly string[], signal: AbortSignal): Promise<Uint8Array | null> {
  const target = `${path}.jpg`;
  try {
    await runFfmpeg({
      input: path,
      outputs: { frame: target },
      args: [
        ...[...safe, "-t", "5", "-i", "input", "-map", "0:v:0", "-frames:v", "1"],
        // Of the first frames the one that is most like the others: videos begin with a black one.
        ...["-vf", `thumbnail=20,scale=${side}:${side}:force_original_aspect_ratio=decrease`],
        ...["-f", "mjpeg", "-q:v", "8", "-y", "frame"],
      ],
      signal,
      mostMs,
    });
    const frame = await readFile(target);
    return frame.length === 0 ? null : frame;
  } catch (error) {
    if (error instanceof FfmpegError) {
      return null;
    }
    throw error;
  } finally {
    await rm(target, { force: true });
  }
}

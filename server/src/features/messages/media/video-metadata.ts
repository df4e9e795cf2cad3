import { readFile, rm } from "node:fs/promises";
import { z } from "zod";
import { FfmpegError, runFfmpeg } from "#server/platform/ffmpeg/index.ts";

/** What phones show of a video before it is loaded. Sizes in pixels. */
export interface VideoMetadata {
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  /** A JPEG of one of the first frames; null if none could be read. */
  readonly thumbnail: Uint8Array | null;
}

/** Demuxers that read videos only. Playlists are left out: they could name other files. */
const videoFormats = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg";
/** Time limit of ffprobe and of ffmpeg each, because later messages of the chat wait for the video. */
const timeoutMs = 15_000;
/** Pixels of the thumbnail's longer side. */
const thumbnailSide = 96;

const probeOutput = z.object({
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

/** Reads the size after rotation and the duration, and makes a thumbnail. Throws FfmpegError if it is no video or takes too long. */
export async function readVideoMetadata(path: string, signal: AbortSignal): Promise<VideoMetadata> {
  const safe = ["-v", "error", "-protocol_whitelist", "file", "-format_whitelist", videoFormats];
  const printed = await runFfmpeg({
    tool: "ffprobe",
    input: path,
    args: [
      ...[...safe, "-of", "json", "-select_streams", "v:0"],
      ...["-show_entries", "stream=width,height:stream_side_data=rotation:format=duration", "input"],
    ],
    signal,
    timeoutMs,
  });
  const { streams, format } = readProbe(printed);
  const [{ width, height, side_data_list: sides }] = streams as [z.output<typeof probeOutput>["streams"][number]];
  const isTurned = sides.some(({ rotation = 0 }) => Math.abs(rotation) % 180 === 90);
  return {
    ...(isTurned ? { width: height, height: width } : { width, height }),
    seconds: format.duration,
    thumbnail: await thumbnailOf(path, safe, signal),
  };
}

function readProbe(printed: string): z.output<typeof probeOutput> {
  try {
    return probeOutput.parse(JSON.parse(printed));
  } catch (cause) {
    throw new FfmpegError("no video stream in the file", { cause });
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
        // The filter picks the most typical of the first 20 frames: many videos begin with a black one.
        ...["-vf", `thumbnail=20,scale=${thumbnailSide}:${thumbnailSide}:force_original_aspect_ratio=decrease`],
        ...["-f", "mjpeg", "-q:v", "8", "-y", "frame"],
      ],
      signal,
      timeoutMs,
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

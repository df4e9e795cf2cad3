import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Message } from "@prosa/contract";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { FfmpegError, runFfmpeg } from "#server/platform/ffmpeg/index.ts";
import { aDesk } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { createMessagesFeature } from "../feature.ts";
import { readVideoMetadata } from "./video-metadata.ts";

const quiet = new AbortController().signal;
let folder: string;
/** Two seconds of portrait video: landscape frames with a rotation of 90 degrees. */
let portrait: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "prosa-video-"));
  const landscape = join(folder, "landscape.mp4");
  portrait = join(folder, "portrait.mp4");
  const source = [
    "-f",
    "lavfi",
    "-i",
    "testsrc2=size=128x72:rate=5:duration=2",
    "-c:v",
    "libx264",
    "-pix_fmt",
    "yuv420p",
  ];
  const make = (input: string, to: string, args: readonly string[]) =>
    runFfmpeg({ input, outputs: { "out.mp4": to }, args: [...args, "out.mp4"], signal: quiet, timeoutMs: 60_000 });
  await writeFile(join(folder, "nothing"), "");
  await make(join(folder, "nothing"), landscape, source);
  await make(landscape, portrait, ["-i", "input", "-c", "copy", "-metadata:s:v:0", "rotate=90"]);
});
afterAll(() => rm(folder, { recursive: true }));

test("reads a video's size after rotation, its duration and a frame", async () => {
  const { thumbnail, ...metadata } = await readVideoMetadata(portrait, quiet);
  expect(metadata).toEqual({ width: 72, height: 128, seconds: 2 });
  expect(await sharp(thumbnail ?? undefined).metadata()).toMatchObject({ format: "jpeg", width: 54, height: 96 });
});

test("refuses a file that is no video", async () => {
  const none = join(folder, "none.mp4");
  await writeFile(none, Buffer.alloc(5_000, "no video"));
  await expect(readVideoMetadata(none, quiet)).rejects.toThrow(FfmpegError);
});

test("a video is sent with its size, duration and thumbnail, an unreadable one without (M-16)", async () => {
  const lines = new Map<number, FakeLine>();
  const desk = await aDesk([tickets, createMessagesFeature(() => (id) => lines.get(id)), fakeLinesFeature(lines)]);
  const line = createFakeLine(desk.connectionId);
  lines.set(desk.connectionId, line);
  const agent = await desk.person("user");
  const { id } = await desk.ticket({ status: "open", user: agent });
  const send = async (bytes: Buffer) => {
    const form = new FormData();
    form.append("medias", new Blob([new Uint8Array(bytes)]), "visita.mp4");
    const { body } = await agent.post<Message[]>(`/messages/${id}`, form);
    await desk.app.settle();
    return body[0]!.id;
  };
  const bytes = await readFile(portrait);
  const sent = await send(bytes);
  // The header of a video without its content.
  await send(Buffer.concat([bytes.subarray(0, 64), Buffer.alloc(500)]));

  expect(line.sent).toMatchObject([
    { content: { kind: "video", file: { width: 72, height: 128, seconds: 2, size: bytes.length } } },
    { content: { kind: "video", file: { mimeType: "video/mp4" } } },
  ]);
  const [first, second] = line.sent.map(({ content }) => ("file" in content ? content.file : undefined));
  expect(await sharp(first?.thumbnail).metadata()).toMatchObject({ format: "jpeg" });
  expect(second).not.toHaveProperty("seconds");
  const { body } = await agent.get<{ messages: Message[] }>(`/messages/${id}`);
  expect(body.messages.find((message) => message.id === sent)?.media).toMatchObject({
    width: 72,
    height: 128,
    seconds: 2,
  });
});

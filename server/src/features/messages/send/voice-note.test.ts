import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Message } from "@prosa/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import type { JobDeps } from "#server/platform/jobs/index.ts";
import { FfmpegError, runFfmpeg } from "#server/platform/ffmpeg/index.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { createMessagesFeature } from "../feature.ts";
import { findNextQueued } from "./send.queries.ts";
import { withOutboundContent } from "./outgoing-file.ts";
import { convertToVoiceNote, waveformOf } from "./voice-note.ts";

const recording = await readFile(new URL("../../../testing/voice.mp3", import.meta.url));
/** Begins like an MP3, but has no audio. */
const brokenRecording = Buffer.concat([recording.subarray(0, 200), Buffer.alloc(20_000, "not sound")]);

/** A WAV of one sample a second. */
function oneHertz(seconds: number): Buffer {
  const head = Buffer.alloc(44);
  head.write("RIFF");
  head.writeUInt32LE(36 + 2 * seconds, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  [1, 1].forEach((value, index) => head.writeUInt16LE(value, 20 + 2 * index));
  [1, 2].forEach((value, index) => head.writeUInt32LE(value, 24 + 4 * index));
  [2, 16].forEach((value, index) => head.writeUInt16LE(value, 32 + 2 * index));
  head.write("data", 36);
  head.writeUInt32LE(2 * seconds, 40);
  return Buffer.concat([head, Buffer.alloc(2 * seconds, 7)]);
}

describe("sending a recording", () => {
  const lines = new Map<number, FakeLine>();
  let desk: Desk;
  let agent: Person;
  let ticketId: number;
  let line: FakeLine;

  beforeEach(async () => {
    lines.clear();
    desk = await aDesk([tickets, createMessagesFeature(() => (id) => lines.get(id)), fakeLinesFeature(lines)]);
    line = createFakeLine(desk.connectionId);
    lines.set(desk.connectionId, line);
    agent = await desk.person("user");
    ({ id: ticketId } = await desk.ticket({ status: "open", user: agent }));
  });

  const last = async () => {
    const { body } = await agent.get<{ messages: Message[] }>(`/messages/${ticketId}`);
    return body.messages.at(-1)!;
  };
  async function record(bytes: Buffer, name = "voz.mp3", voice = "true"): Promise<Message> {
    const form = new FormData();
    form.set("voice", voice);
    form.set("medias", new Blob([new Uint8Array(bytes)]), name);
    return (await agent.post<Message[]>(`/messages/${ticketId}`, form)).body[0]!;
  }

  test("is sent as Opus in Ogg; the desk keeps the MP3 and stores its duration (M-07)", async () => {
    let bytes = Buffer.alloc(0);
    line.onSend = async ({ content }) => {
      bytes = "file" in content ? await readFile(content.file.path) : bytes;
    };
    await record(recording);
    await desk.app.settle();
    expect(line.sent).toMatchObject([
      { content: { kind: "voice", file: { mimeType: "audio/ogg; codecs=opus", size: bytes.length } } },
    ]);
    expect(bytes.subarray(0, 4).toString()).toBe("OggS");
    const message = await last();
    expect(message).toMatchObject({ ack: 1, media: { mimeType: "audio/mpeg", isVoice: true } });
    expect(message.media?.seconds).toBeCloseTo(1.5, 0);
  });

  test("one that takes too long to convert is sent as an audio file (M-07)", async () => {
    const { id } = await record(recording);
    const { services, db } = desk.app;
    const actor = { kind: "system", companyId: desk.companyId, reason: "test" } as const;
    const scope = { actor, companyId: desk.companyId, log: services.log, clock: services.clock };
    const inCompany: JobDeps["inCompany"] = (work) => db.inCompany(scope, work);
    const deps: JobDeps = { ...services, db, inCompany, signal: new AbortController().signal };
    const tooLong = new FfmpegError("ended by SIGKILL", { isTooLong: true });
    const message = await inCompany((ctx) => findNextQueued(ctx, desk.connectionId, ticketId));
    const kinds: string[] = [];
    await withOutboundContent(
      message!,
      { storage: services.storage, deps, convert: () => Promise.reject(tooLong) },
      async (content) => {
        kinds.push(content.kind);
      },
    );
    expect([message?.id, kinds]).toEqual([id, ["audio"]]);
  });

  test("an audio file that was attached, not recorded, is sent as it is (M-06)", async () => {
    await record(recording, "musica.mp3", "false");
    await desk.app.settle();
    expect(line.sent).toMatchObject([
      { content: { kind: "audio", file: { mimeType: "audio/mpeg", size: recording.length } } },
    ]);
  });

  test("a failed conversion fails the message with its reason, does not block the chat, and can be retried (M-07, M-02)", async () => {
    const { id } = await record(brokenRecording);
    await agent.post(`/messages/${ticketId}`, { body: "depois" });
    await desk.app.settle();
    expect(line.texts()).toEqual(["depois"]);
    const { body } = await agent.get<{ messages: Message[] }>(`/messages/${ticketId}`);
    expect(body.messages[0]).toMatchObject({ id, ack: -1, failReason: "voice", media: { state: "ready" } });

    const again = await agent.post<Message>(`/messages/${id}/retry`);
    expect(again.body).toMatchObject({ ack: 0, failReason: null });
    await desk.app.settle();
    expect(line.sent).toHaveLength(1);
  });
});

describe("converting", () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), "prosa-voice-"))));
  afterAll(() => rm(folder, { recursive: true }));
  const quiet = new AbortController().signal;

  test("a playlist that names another file is not followed", async () => {
    const list = join(folder, "list.m3u8");
    const secret = join(folder, "secret.mp3");
    await writeFile(secret, recording);
    await writeFile(list, `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile:${secret}\n#EXT-X-ENDLIST\n`);
    await expect(convertToVoiceNote(list, join(folder, "out.ogg"), quiet)).rejects.toThrow(FfmpegError);
  });

  test("the conversion of a small file that claims to last for hours is stopped (M-07)", async () => {
    const source = join(folder, "hours.wav");
    await writeFile(source, oneHertz(200_000));
    const error: unknown = await convertToVoiceNote(source, join(folder, "out.ogg"), quiet, 500).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(FfmpegError);
    expect(error).toMatchObject({ isTooLong: true });
  });

  test("is aborted with its job", async () => {
    const source = join(folder, "voice.mp3");
    await writeFile(source, recording);
    const lost = new Error("the lease was lost");
    await expect(convertToVoiceNote(source, join(folder, "out.ogg"), AbortSignal.abort(lost))).rejects.toBe(lost);
  });

  test("ffmpeg sees no files of the machine", async () => {
    const secret = join(folder, "secret.txt");
    await writeFile(secret, "a secret");
    const run = runFfmpeg({
      input: join(folder, "voice.mp3"),
      args: ["-f", "data", "-i", secret, "-map", "0", "-c", "copy", "-f", "data", "out"],
      outputs: { out: join(folder, "stolen") },
      signal: quiet,
      timeoutMs: 60_000,
    });
    await expect(run).rejects.toThrow(/No such file/);
    await expect(readFile(join(folder, "stolen"))).rejects.toThrow(/ENOENT/);
  });

  test("ffmpeg fails when it exceeds its memory limit", async () => {
    const run = runFfmpeg({
      input: join(folder, "voice.mp3"),
      args: [
        "-f",
        "lavfi",
        "-i",
        "color=size=8000x8000:rate=1:duration=1",
        "-pix_fmt",
        "rgba",
        "-f",
        "rawvideo",
        "out",
      ],
      outputs: { out: join(folder, "large") },
      signal: quiet,
      timeoutMs: 60_000,
    });
    await expect(run).rejects.toThrow(FfmpegError);
    await expect(readFile(join(folder, "large"))).rejects.toThrow(/ENOENT/);
  });

  test("a waveform has 64 heights in relation to the loudest, however short the sound", () => {
    const wave = waveformOf([0, 50, 200]);
    expect(wave).toHaveLength(64);
    expect([wave[0], wave[32], wave[63]]).toEqual([0, 25, 100]);
    expect(waveformOf([])).toEqual(new Uint8Array(64));
  });
});

import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { exampleFeature, exampleSession } from "#server/testing/example.ts";
import { bodyLimits, nextBodyState } from "./slow-bodies.ts";
import type { OpenBody } from "./slow-bodies.ts";

const ana = { userId: 1, companyId: 1, sessionId: "ana" };
let app: TestApp;
/** Another process that gives everybody more time than a test takes. */
let patient: TestApp;
let bearer = "";
beforeAll(async () => {
  const features = [exampleFeature(new Map([["ana", exampleSession(ana)]]))];
  const env = { BODY_MAX_KB: "64", UPLOAD_MAX_MB: "1" };
  app = await createTestApp({ features, env: { ...env, REQUEST_SECONDS: "1" } });
  patient = await createTestApp({ features, env: { ...env, REQUEST_SECONDS: "60" }, sameDatabaseAs: app });
  bearer = await app.services.tokens.issue(ana);
});
afterAll(async () => {
  await patient.close();
  await app.close();
});

/** A connection whose other end is the test itself. */
async function dial(to = app): Promise<{ socket: Socket; heard: () => string; closed: Promise<unknown> }> {
  const { port } = new URL(await to.listen());
  const socket = connect(Number(port), "127.0.0.1");
  let heard = "";
  socket.on("data", (bytes) => (heard += bytes.toString("latin1"))).on("error", () => undefined);
  await once(socket, "connect");
  // Not `once`, which an error rejects: who is cut off while sending is told by a reset.
  const closed = new Promise((resolve) => socket.once("close", resolve));
  return { socket, heard: () => heard, closed };
}

/** Writes until the other side has closed. */
async function drip(socket: Socket, piece: string | Buffer, everyMs: number): Promise<void> {
  while (!socket.destroyed && socket.writable) {
    socket.write(piece);
    await sleep(everyMs);
  }
}

const head = (path: string, ...headers: string[]) =>
  `POST ${path} HTTP/1.1\r\nHost: prosa\r\nAuthorization: Bearer ${bearer}\r\n${headers.join("\r\n")}\r\n\r\n`;
const multipart = "Content-Type: multipart/form-data; boundary=XX";
const filePart = '--XX\r\nContent-Disposition: form-data; name="medias"; filename="a.txt"\r\n\r\n';
const titlePart = '--XX\r\nContent-Disposition: form-data; name="title"\r\n\r\na title\r\n';

test("a head that drips in is ended with 408 (E-03)", async () => {
  const { socket, heard, closed } = await dial();
  socket.write("GET /health HTTP/1.1\r\nX-A: ");
  await Promise.all([closed, drip(socket, "a", 100)]);
  expect(heard()).toContain("HTTP/1.1 408 ");
});

test.each([
  ["with a length", "Content-Length: 1000"],
  ["in chunks", "Transfer-Encoding: chunked"],
])("a small body %s that drips in is ended with 408 (E-03)", async (_what, how) => {
  const { socket, heard, closed } = await dial();
  socket.write(head("/notes/1", "Content-Type: application/json", how));
  await Promise.all([closed, drip(socket, how.startsWith("Content") ? " " : "1\r\n \r\n", 100)]);
  expect(heard()).toContain("HTTP/1.1 408 ");
  expect(heard()).toContain('"error":"ERR_VALIDATION"');
});

test.each([
  ["stands still", 0],
  ["brings a byte now and then", 1],
])("an upload that %s is ended, and leaves nothing behind (E-03)", async (_what, bytes) => {
  const { socket, heard, closed } = await dial();
  socket.write(head("/notes/files", multipart, "Content-Length: 900000") + filePart);
  await Promise.all([closed, drip(socket, "x".repeat(bytes), 100)]);
  expect(heard()).toContain("HTTP/1.1 408 ");
  const left = async () => (await readdir(app.services.config.dataDir)).filter((name) => name.startsWith("upload-"));
  await expect.poll(left).toEqual([]);
});

test("an upload that is slow but moves goes on, for longer than a small body may take (E-03)", async () => {
  const { socket, heard } = await dial();
  const began = performance.now();
  const size = 60_000;
  const end = "\r\n--XX--\r\n";
  socket.write(
    head(
      "/notes/files",
      multipart,
      "Connection: close",
      `Content-Length: ${(titlePart + filePart + end).length + size}`,
    ) +
      titlePart +
      filePart,
  );
  for (let sent = 0; sent < size; sent += 2_000) {
    socket.write("x".repeat(2_000));
    await sleep(100);
  }
  expect(performance.now() - began).toBeGreaterThan(2_500);
  socket.write(end);
  await once(socket, "end");
  expect(heard()).toContain("HTTP/1.1 200 ");
  expect(heard()).toContain(`"size":${size}`);
});

test.each([
  [
    "JSON with a length",
    "/notes/1",
    ["Content-Type: application/json", "Content-Length: 3000000"],
    "ERR_BODY_TOO_LARGE",
  ],
  [
    "JSON in chunks",
    "/notes/1",
    ["Content-Type: application/json", "Transfer-Encoding: chunked"],
    "ERR_BODY_TOO_LARGE",
  ],
  [
    "JSON in chunks through a proxy that closes",
    "/notes/1",
    ["Content-Type: application/json", "Transfer-Encoding: chunked", "Connection: close"],
    "ERR_BODY_TOO_LARGE",
  ],
  ["a file with a length", "/notes/files", [multipart, "Content-Length: 3000000"], "ERR_FILE_TOO_LARGE"],
  ["a file in chunks", "/notes/files", [multipart, "Transfer-Encoding: chunked"], "ERR_FILE_TOO_LARGE"],
  [
    "a file in chunks through a proxy that closes",
    "/notes/files",
    [multipart, "Transfer-Encoding: chunked", "Connection: close"],
    "ERR_FILE_TOO_LARGE",
  ],
] as const)(
  "the sender of %s that is too large gets to read 413 after all was sent (E-03)",
  async (_what, path, headers, code) => {
    const { socket, heard } = await dial(patient);
    const isChunked = headers.some((each) => each.includes("chunked"));
    const send = (text: string) =>
      new Promise<void>((resolve, reject) => {
        const bytes = isChunked ? `${text.length.toString(16)}\r\n${text}\r\n` : text;
        socket.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
    // A sender that looks for an answer only when it has said everything, as many do.
    socket.pause();
    socket.write(head(path, ...headers));
    const begin = path === "/notes/files" ? filePart : '{"text":"';
    await send(begin);
    for (let sent = begin.length; sent < 3_000_000; sent += 60_000) {
      await send("x".repeat(Math.min(60_000, 3_000_000 - sent)));
      await sleep(2);
    }
    if (isChunked) {
      socket.write("0\r\n\r\n");
    }
    socket.resume();
    await expect.poll(heard).toContain(code);
    expect(heard()).toContain("HTTP/1.1 413 ");
    socket.destroy();
  },
);

test("what goes on after its answer is thrown away for a while, then cut off (E-03)", async () => {
  const { socket, heard, closed } = await dial();
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  socket.write(head("/notes/files", multipart, "Transfer-Encoding: chunked") + chunk(filePart));
  await Promise.all([closed, drip(socket, chunk("x".repeat(50_000)), 20)]);
  expect(heard()).toContain("HTTP/1.1 413 ");
});

const limits = bodyLimits(10);
const fresh: OpenBody = { isUpload: false, beganAt: 0, movedAt: 0, movedBytes: 0, answeredAt: undefined };
const upload: OpenBody = { ...fresh, isUpload: true };
const answered: OpenBody = { ...fresh, answeredAt: 0 };

test.each([
  ["a small body in time", fresh, 5_000, 9_999, true],
  ["a small body too late", fresh, 5_000, 10_000, false],
  ["an upload that waits", upload, 1_000, 19_999, true],
  ["an upload that brought too little", upload, 1_000, 20_000, false],
  ["an upload that moved", upload, 1_024, 20_000, true],
  ["an upload that moved an hour ago", { ...upload, movedAt: 0, movedBytes: 9_000 }, 9_100, 3_600_000, false],
  ["an upload of an hour that moves", { ...upload, movedAt: 3_599_000, movedBytes: 9_000 }, 9_000, 3_600_000, true],
  ["what was answered and still comes", { ...answered, movedAt: 20_000 }, 1, 29_999, true],
  ["what was answered and comes for too long", { ...answered, movedAt: 29_900 }, 1, 30_000, false],
  ["what was answered and stands still", answered, 0, 5_000, false],
])("%s (E-03)", (_what, body, bytes, now, goesOn) => {
  expect(nextBodyState(body, bytes, now, limits) !== undefined).toBe(goesOn);
});

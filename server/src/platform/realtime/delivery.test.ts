import { once } from "node:events";
import { writeSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Server } from "socket.io";
import type { Socket } from "socket.io";
import { io as connectTo } from "socket.io-client";
import type { Socket as ClientSocket } from "socket.io-client";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createMetrics } from "#server/platform/metrics/index.ts";
import { testLog } from "#server/testing/database.ts";
import { createDelivery } from "./delivery.ts";
import type { Delivery } from "./delivery.ts";
import type { WriteAtOnce } from "./write-packets.ts";

const server = createServer();
const io = new Server(server, { transports: ["websocket"], perMessageDeflate: false });
const metrics = createMetrics({ withProcess: false });
/** Writes to the descriptor of a socket, past the libraries: one system call. */
const writeAtOnce = vi.fn<WriteAtOnce>();
const delivery: Delivery = createDelivery(io, metrics, testLog, writeAtOnce);
beforeEach(() => void writeAtOnce.mockReset().mockImplementation(writeSync));
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => io.close());

interface Pair {
  readonly here: Socket;
  readonly client: ClientSocket;
  /** What the client was told: name, payload, and whether the cursor came with it. */
  readonly heard: [event: string, payload: unknown, cursor?: string][];
  /** Resolves when everything that was written before has arrived. */
  flushed(): Promise<void>;
}

async function connect(...rooms: string[]): Promise<Pair> {
  const accepted = once(io, "connection");
  const { port } = server.address() as AddressInfo;
  const client = connectTo(`http://127.0.0.1:${port}`, {
    transports: ["websocket"],
    forceNew: true,
    reconnection: false,
  });
  onTestFinished(() => void client.disconnect());
  const heard: Pair["heard"] = [];
  client.onAny((event: string, payload: unknown, more?: { readonly cursor: string }) => {
    heard.push(more ? [event, payload, more.cursor] : [event, payload]);
  });
  const [here] = (await accepted) as [Socket];
  await here.join(["everybody", ...rooms].map((room) => `1/${room}`));
  here.on("ask", (answer: () => void) => answer());
  return { here, client, heard, flushed: async () => void (await client.emitWithAck("ask")) };
}

const tell = (payload: string) => delivery.deliver(1, [{ rooms: ["everybody"], event: "text", payload }]);

/** Node's stream of a socket. */
function streamOf({ here }: Pair): Duplex & { readonly _handle: { readonly fd: number } } {
  return (here.conn.transport as unknown as { socket: { _socket: ReturnType<typeof streamOf> } }).socket._socket;
}

test("the libraries let frames be written to the descriptor: without it, each packet costs a system call and more again", async () => {
  const pair = await connect();
  await tell("text");
  expect(writeAtOnce).toHaveBeenCalledWith(streamOf(pair)._handle.fd, expect.any(Buffer));
});

test("all packets of a batch are one write, in order, with the cursor in the last one of each socket (N-05)", async () => {
  const [both, one] = [await connect("open", "pending"), await connect("open")];
  const emissions = [
    { rooms: ["open"], event: "left", payload: { id: 1 } },
    { rooms: ["pending"], event: "came", payload: { id: 1, text: "ação 🙂" } },
    { rooms: ["open"], except: ["pending"], event: "alone", payload: null },
    { rooms: ["pending"], event: "came", payload: { id: 2 } },
  ];
  await delivery.deliver(1, emissions, "here");
  const written = writeAtOnce.mock.calls.map(([descriptor]) => descriptor);
  expect(written).toHaveLength(2);
  expect(new Set(written)).toEqual(new Set([both, one].map((pair) => streamOf(pair)._handle.fd)));
  await Promise.all([both.flushed(), one.flushed()]);

  expect(both.heard).toEqual([
    ["left", { id: 1 }],
    ["came", { id: 1, text: "ação 🙂" }],
    ["came", { id: 2 }, "here"],
  ]);
  expect(one.heard).toEqual([
    ["left", { id: 1 }],
    ["alone", null, "here"],
  ]);
});

test("a payload is encoded once for all sockets, whether or not the cursor comes with it", async () => {
  const pairs = [await connect("few"), await connect("few"), await connect(), await connect(), await connect()];
  const encoded = vi.fn<() => string>(() => "as JSON");
  const payload = { toJSON: encoded };
  await delivery.deliver(
    1,
    [
      { rooms: ["everybody"], event: "all", payload },
      { rooms: ["few"], event: "few", payload: 2 },
    ],
    "here",
  );
  expect(encoded).toHaveBeenCalledOnce();
  await Promise.all(pairs.map((pair) => pair.flushed()));
  expect(pairs.map(({ heard }) => heard[0])).toEqual([
    ["all", "as JSON"],
    ["all", "as JSON"],
    ...Array.from({ length: 3 }, () => ["all", "as JSON", "here"]),
  ]);
});

test("packets of every length arrive as they are", async () => {
  const pair = await connect();
  // The header of a frame has three forms: below 126 bytes, below 65,536, and beyond.
  const texts = [0, 80, 110, 120, 130, 65_500, 65_540, 200_000].map((length) => "é".repeat(length / 2));
  for (const text of texts) {
    await tell(text);
  }
  await pair.flushed();
  expect(pair.heard.map(([, payload]) => payload)).toEqual(texts);
});

test("what the library still holds for a socket arrives first", async () => {
  const pair = await connect();
  // The second waits in the library until the first is written.
  pair.here.emit("first");
  pair.here.emit("second");
  await delivery.deliver(1, [{ rooms: ["everybody"], event: "third", payload: 3 }], "here");
  expect(writeAtOnce).not.toHaveBeenCalled();
  pair.here.emit("fourth");
  await pair.flushed();
  expect(pair.heard.map(([event]) => event)).toEqual(["first", "second", "third", "fourth"]);
  expect(pair.heard[2]).toEqual(["third", 3, "here"]);
});

test("what the system does not take at once comes after it, and so does what is told meanwhile", async () => {
  const pair = await connect();
  writeAtOnce.mockImplementationOnce((descriptor, bytes) => writeSync(descriptor, bytes.subarray(0, 7)));
  await tell("some of it");
  writeAtOnce.mockImplementationOnce(() => {
    throw Object.assign(new Error("resource temporarily unavailable"), { code: "EAGAIN" });
  });
  await tell("nothing of it");
  streamOf(pair).cork();
  pair.here.emit("text", "the library's");
  await nextTurn();
  await tell("after what the stream holds");
  streamOf(pair).uncork();
  await tell("all of it");
  await pair.flushed();
  expect(pair.heard.map(([, payload]) => payload)).toEqual([
    "some of it",
    "nothing of it",
    "the library's",
    "after what the stream holds",
    "all of it",
  ]);
});

test("a descriptor that is closed is not written to: it may be another connection's by then", async () => {
  const pair = await connect();
  await tell("one");
  expect(writeAtOnce).toHaveBeenCalledOnce();
  streamOf(pair).destroy();
  expect(pair.here.connected).toBe(true);
  await tell("two");
  expect(writeAtOnce).toHaveBeenCalledOnce();
});

test("nothing follows a packet that could not be written, not even in the same tick", async () => {
  const pair = await connect();
  const outOfMemory = () => -12;
  const gone = once(pair.here, "disconnect");
  for (const write of ["writev", "writeBuffer", "writeUtf8String", "writeLatin1String", "writeAsciiString"]) {
    Object.defineProperty(streamOf(pair)._handle, write, { value: outOfMemory });
  }
  pair.here.emit("text", "lost");
  await tell("after the gap");
  await gone;
  expect(writeAtOnce).not.toHaveBeenCalled();
});

test("nothing is written after the close frame, and TLS is not written past", async () => {
  const [closing, secure] = [await connect(), await connect()];
  closing.here.conn.close();
  Object.defineProperty(streamOf(secure), "encrypted", { value: true });
  await tell("text");
  expect(writeAtOnce).not.toHaveBeenCalled();
  await secure.flushed();
  expect(secure.heard).toEqual([["text", "text"]]);
});

test("a writer is made once for each socket, and forgotten with it", async () => {
  const pair = await connect();
  const found = vi.spyOn(io.sockets.sockets, "get");
  onTestFinished(() => found.mockRestore());
  await tell("one");
  await tell("two");
  expect(found.mock.calls.filter(([id]) => id === pair.here.id)).toHaveLength(1);
  delivery.forget(pair.here.id);
  await tell("three");
  expect(found.mock.calls.filter(([id]) => id === pair.here.id)).toHaveLength(2);
});

test("packets for a socket that waits for its replay come after it, in order", async () => {
  const pair = await connect("open");
  delivery.hold(pair.here.id);
  const event = (name: string, cursor?: string) =>
    delivery.deliver(1, [{ rooms: ["open"], event: name, payload: null }], cursor);
  await event("one", "1");
  await event("two");
  pair.here.emit("replayed");
  delivery.release(pair.here.id);
  await event("three", "3");
  await pair.flushed();
  expect(pair.heard).toEqual([
    ["replayed", undefined],
    ["one", null, "1"],
    ["two", null],
    ["three", null, "3"],
  ]);
});

test("a socket that reads nothing is closed, so that what waits for it stays bounded; the others go on (N-05)", async () => {
  const [slow, fast] = [await connect("open"), await connect("open")];
  const gone = once(slow.here, "disconnect");
  const { ws } = slow.client.io.engine.transport as unknown as { ws: { pause(): void } };
  ws.pause();
  const payload = "x".repeat(100_000);
  let told = 0;
  // What the operating system takes for it comes first: some megabytes.
  for (; slow.here.connected && told < 1_000; told += 1) {
    await delivery.deliver(1, [{ rooms: ["open"], event: "text", payload }], `${told}`);
    await nextTurn();
  }
  await gone;
  expect(told).toBeLessThan(1_000);
  await fast.flushed();
  expect(fast.heard).toHaveLength(told);
});

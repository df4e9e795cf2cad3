import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { Db } from "#server/platform/db/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { testLog } from "#server/testing/database.ts";
import { exampleFeature, exampleSession } from "#server/testing/example.ts";
import { createPresence } from "./presence.ts";
import { createReplay } from "./replay.ts";

const ana = { userId: 1, companyId: 1, sessionId: "ana" };
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ features: [exampleFeature(new Map([["ana", exampleSession(ana)]]))] });
});
afterAll(() => app.close());

/** A WebSocket as somebody writes it who is no browser. */
async function openRaw(): Promise<Socket> {
  const { hostname, port } = new URL(await app.listen());
  const socket = connectTcp(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  const headers = ["Host: x", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  socket.write(
    ["GET /socket.io/?EIO=4&transport=websocket HTTP/1.1", ...headers, key].map((line) => `${line}\r\n`).join("") +
      "\r\n",
  );
  await once(socket, "data");
  return socket;
}

const TEXT = 1;
const PING = 9;

/** A masked frame of at most 64 kB. */
function frame(kind: typeof TEXT | typeof PING, text: string): Buffer {
  const { length } = text;
  const head = length < 126 ? [0x80 | kind, 0x80 | length] : [0x80 | kind, 0xfe, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), Buffer.alloc(4), Buffer.from(text)]);
}

/** Bytes that the server takes before it cuts the connection; fails where it takes `most` of them. */
async function takenUntilCut(socket: Socket, block: Buffer, most: number): Promise<number> {
  let bytes = 0;
  const cut = new Promise<boolean>((resolve) => socket.once("close", () => resolve(true)));
  while (bytes < most) {
    bytes += block.length;
    const isWritten = new Promise<boolean>((resolve) => void socket.write(block, () => resolve(socket.destroyed)));
    if (await Promise.race([cut, isWritten])) {
      return bytes;
    }
  }
  throw new Error("The server took it all");
}

test("who sends pings and never reads the answers is cut off, before the handshake and after it (N-04)", async () => {
  const block = Buffer.concat(Array.from({ length: 500 }, () => frame(PING, "x".repeat(125))));
  const warned = vi.spyOn(app.services.log, "warn");
  const stranger = await openRaw();
  stranger.pause();
  expect(await takenUntilCut(stranger, block, 50_000_000)).toBeLessThan(50_000_000);

  const insider = await openRaw();
  insider.write(frame(TEXT, `40${JSON.stringify({ token: await app.services.tokens.issue(ana) })}`));
  await once(insider, "data");
  insider.pause();
  expect(await takenUntilCut(insider, block, 50_000_000)).toBeLessThan(50_000_000);
  // once each, however many were read at once
  expect(warned).toHaveBeenCalledTimes(2);
  warned.mockRestore();
});

test("who asks to be let in again and again on one connection is cut off, and others go on (N-04)", async () => {
  const flooder = await openRaw();
  const verified = vi.spyOn(app.services.tokens, "verify");
  const handshake = frame(TEXT, `40${JSON.stringify({ token: `eyJhbGciOiJIUzI1NiJ9.${"A".repeat(200)}.AAAA` })}`);
  await takenUntilCut(flooder, Buffer.concat(Array.from({ length: 500 }, () => handshake)), 20_000_000);
  expect(verified.mock.calls.length).toBeLessThanOrEqual(11);
  verified.mockRestore();
  const calm = await app.connect(ana);
  expect(await calm.join("joinNote", 9)).toBe(true);
  calm.close();
});

test("a session that asks for what it missed over and over is told to fetch anew instead (N-05)", async () => {
  const first = await app.connect(ana);
  const cursor = await first.ready;
  first.close();
  const answers: (string | undefined)[] = [];
  for (let times = 0; times < 45; times += 1) {
    const socket = await app.connect(ana, { cursor });
    answers.push(socket.packets[0]?.event);
    socket.close();
  }
  expect(answers.slice(0, 40)).toEqual(Array(40).fill("ready"));
  expect(answers.at(-1)).toBe("refetch");
});

test("what was read for those who come back is held for a second, not until others displace it (N-05)", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const loadMissed = createReplay(app.db, new Map());
  const actor = { kind: "system", companyId: 1, reason: "test" } as const;
  const { clock } = app.services;
  const tools = {
    companyId: 1,
    log: testLog,
    now: () => clock.now(),
    read: <T>(work: Parameters<typeof app.db.read<T>>[1]) =>
      app.db.read({ actor, companyId: 1, log: testLog, clock }, work),
  };
  const cursor = app.product.tail?.cursor() ?? "";
  const missed = await (async () => new WeakRef(await loadMissed(tools, cursor)))();
  expect(missed.deref()?.kind).toBe("emissions");
  await pause(1_200);
  await expect
    .poll(() => {
      collect();
      return missed.deref();
    })
    .toBeUndefined();
});

test("however often browsers report their users, one write runs at a time, of all who wait (N-04, U-04)", async () => {
  let writes = 0;
  const { promise: first, resolve: finish } = Promise.withResolvers<void>();
  const systemTx = async () => {
    writes += 1;
    await first;
  };
  const presence = createPresence({ systemTx } as unknown as Db, () => undefined);
  onTestFinished(() => presence.stop());
  for (let times = 0; times < 500; times += 1) {
    presence.renew(1, 1 + (times % 3));
    await Promise.resolve();
  }
  expect(writes).toBe(1);
  finish();
  await presence.heartbeat();
  // the first, that of all who waited and of the heartbeat, and its look for who went offline
  expect(writes).toBe(3);
});

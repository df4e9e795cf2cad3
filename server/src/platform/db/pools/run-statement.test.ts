import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { batchingSocket } from "./run-statement.ts";

test("what is written in one turn leaves together, and nothing stays behind", async () => {
  const server = createServer((socket) => socket.pipe(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = batchingSocket();
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  socket.connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");

  socket.write("BEGIN;");
  socket.write("select 1;");
  expect(socket.writableCorked).toBe(1);
  expect(socket.bytesWritten).toBe("BEGIN;select 1;".length);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(String(answer)).toBe("BEGIN;select 1;");
  expect(socket.writableCorked).toBe(0);
});

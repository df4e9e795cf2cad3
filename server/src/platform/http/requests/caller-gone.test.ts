import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { callerGone } from "./caller-gone.ts";

test("a caller who leaves after the body was read is gone, one who gets the answer is not (E-01)", async () => {
  const arrivals: ((signal: AbortSignal) => void)[] = [];
  const server = createServer((received, raw) => {
    void text(received).then((body) => {
      const signal = callerGone({ raw });
      if (body === "stays") {
        raw.once("close", () => arrivals.shift()?.(signal));
        raw.end("answer");
      } else {
        arrivals.shift()?.(signal);
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const post = (body: string) => {
    const { promise, resolve } = Promise.withResolvers<AbortSignal>();
    arrivals.push(resolve);
    const sent = request({ port, host: "127.0.0.1", method: "POST", agent: false });
    sent.on("error", () => undefined).on("response", (answer) => answer.resume());
    sent.end(body);
    return { sent, signal: promise };
  };

  expect((await post("stays").signal).aborted).toBe(false);

  const leaving = post("leaves");
  const signal = await leaving.signal;
  expect(signal.aborted).toBe(false);
  leaving.sent.destroy();
  await once(signal, "abort");
  server.close();
});

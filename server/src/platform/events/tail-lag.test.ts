import { afterEach, expect, test, vi } from "vitest";
import { testLog } from "#server/testing/database.ts";
import type { ListenNotify } from "../db/index.ts";
import { createPubSub } from "../pubsub/index.ts";
import { createTailLag } from "./tail-lag.ts";

afterEach(() => void vi.useRealTimers());

test("a worker knows that the browsers of another process are late, until it has heard no more of it for two seconds", async () => {
  vi.useFakeTimers();
  const listeners: ((text: string) => void)[] = [];
  const [sockets, worker] = [0, 1].map(() => {
    const listenNotify = {
      broadcast: async (text: string) => listeners.forEach((listener) => listener(text)),
      onBroadcast: (listener: (text: string) => void) => {
        listeners.push(listener);
        return () => undefined;
      },
    } as Partial<ListenNotify> as ListenNotify;
    return createTailLag(createPubSub(listenNotify, testLog));
  });

  sockets!.report(200);
  await vi.advanceTimersByTimeAsync(100);
  expect([sockets!.ms(), worker!.ms()]).toEqual([0, 0]);

  sockets!.report(900);
  await vi.advanceTimersByTimeAsync(100);
  expect([sockets!.ms(), worker!.ms()]).toEqual([900, 900]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([sockets!.ms(), worker!.ms()]).toEqual([0, 0]);
});

import { expect, test, vi } from "vitest";
import { currentSession, openSession } from "./session.ts";

test("a start without a token removes what a session kept that was taken over (Z-06)", async () => {
  const forget = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const restoreAtOnce = vi.fn<() => Promise<undefined>>(() => Promise.resolve(undefined));
  await openSession({ restoreAtOnce, restoreWithServer: () => Promise.resolve(), forget });
  expect(currentSession()).toEqual({ state: "out" });
  expect(forget).toHaveBeenCalledOnce();
  expect(restoreAtOnce).not.toHaveBeenCalled();
});

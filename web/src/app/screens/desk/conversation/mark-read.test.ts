import { expect, onTestFinished, test, vi } from "vitest";

/** The module, in a page as far as it looks at one. */
async function aPage() {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible", documentElement: { lang: "pt" } });
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", page);
  return { page, ...(await import("./mark-read.ts")) };
}

test("a message that comes while the one before is being marked as read is marked, too, though one is unread before and after (M-14)", async () => {
  const { unreadVersion } = await aPage();
  const first = { unreadMessages: 1, version: 3 };
  expect(unreadVersion({ unreadMessages: 1, version: 5 })).not.toBe(unreadVersion(first));
  expect(unreadVersion({ ...first })).toBe(unreadVersion(first));
  expect(unreadVersion({ unreadMessages: 0, version: 6 })).toBeUndefined();
});

test("a conversation whose reading was lost on its way is marked as read once the network is back (M-14)", async () => {
  const { page, keepMarkedRead } = await aPage();
  let isOnline = false;
  const markRead = vi.fn<() => Promise<unknown>>(() =>
    isOnline ? Promise.resolve() : Promise.reject(new TypeError("offline")),
  );
  /** Waits for the answer, too. */
  const tell = async (target: EventTarget, event: string) => {
    target.dispatchEvent(new Event(event));
    await Promise.resolve();
  };
  const networkReturns = () => tell(window, "online");

  const stop = keepMarkedRead(markRead);
  expect(markRead).toHaveBeenCalledTimes(1);
  isOnline = true;
  page.visibilityState = "hidden";
  await networkReturns();
  expect(markRead).toHaveBeenCalledTimes(1);
  page.visibilityState = "visible";
  await tell(page, "visibilitychange");
  expect(markRead).toHaveBeenCalledTimes(2);

  // answered: nothing is left to ask for
  await networkReturns();
  expect(markRead).toHaveBeenCalledTimes(2);
  stop();

  isOnline = false;
  const stopAgain = keepMarkedRead(markRead);
  isOnline = true;
  await networkReturns();
  expect(markRead).toHaveBeenCalledTimes(4);
  stopAgain();
  await networkReturns();
  expect(markRead).toHaveBeenCalledTimes(4);
});

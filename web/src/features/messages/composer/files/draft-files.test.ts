import { expect, onTestFinished, test, vi } from "vitest";
import { fullDisk } from "../../full-disk.testing.ts";

test("the files of a reply live as long as the tab where the disk is too full for them, and the browser asks before it closes (Z-02)", async () => {
  const stored = new Map<string, string>();
  const page = Object.assign(new EventTarget(), { requestIdleCallback: () => undefined });
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("indexedDB", fullDisk());
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal("window", page);
  vi.stubGlobal("document", Object.assign(new EventTarget(), { documentElement: { lang: "pt" } }));
  vi.stubGlobal("BroadcastChannel", undefined);
  const reload = vi.fn<() => void>();
  vi.stubGlobal("location", { reload });
  const [{ loadFiles, saveFiles }, { leaveAtOnce, reloadPage }] = await Promise.all([
    import("./draft-files.ts"),
    import("#web/lib/routing/router.tsx"),
  ]);
  const photo = { id: "a", file: new File(["x"], "foto.jpg"), caption: "Chegou" };

  await saveFiles(3, [photo]);

  expect(await loadFiles(3)).toEqual([photo]);
  const isHeldByBrowser = () => {
    const leaving = new Event("beforeunload", { cancelable: true });
    page.dispatchEvent(leaving);
    return leaving.defaultPrevented;
  };
  expect(isHeldByBrowser()).toBe(true);
  // a person's own reload
  reloadPage();
  expect(isHeldByBrowser()).toBe(true);
  // the session is over, or another one's: nothing holds the page up
  leaveAtOnce();
  expect([isHeldByBrowser(), reload.mock.calls.length]).toEqual([false, 2]);
});

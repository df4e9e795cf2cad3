import { expect, onTestFinished, test, vi } from "vitest";

const notice = { title: "Ana", body: "Oi", path: "/tickets/1d0c" };

test("where only a service worker may notify, as on Android, it does, and its click opens the conversation (N-01)", async () => {
  const showNotification = vi.fn<ServiceWorkerRegistration["showNotification"]>(() => Promise.resolve());
  const say = await showOnAndroid({ showNotification });

  await vi.waitFor(() => expect(showNotification).toHaveBeenCalledOnce());
  const [title, options] = showNotification.mock.calls[0]!;
  expect([title, options]).toMatchObject(["Ana", { body: "Oi", tag: notice.path, data: { path: notice.path } }]);
  expect(say).not.toHaveBeenCalled();
});

test("a browser that cannot notify at all leaves a line in its log", async () => {
  const say = await showOnAndroid(undefined);
  await vi.waitFor(() => expect(say).toHaveBeenCalledOnce());
});

test("a worker that refuses leaves a line in the log", async () => {
  const say = await showOnAndroid({ showNotification: () => Promise.reject(new TypeError("No permission")) });
  await vi.waitFor(() => expect(say).toHaveBeenCalledOnce());
});

/** Chrome on Android, with this service worker or without one; its log. */
async function showOnAndroid(worker: Pick<ServiceWorkerRegistration, "showNotification"> | undefined) {
  const say = vi.spyOn(console, "log").mockImplementation(() => undefined);
  onTestFinished(() => {
    say.mockRestore();
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  });
  vi.resetModules();
  vi.stubEnv("PROD", true);
  class Notification {
    static permission = "granted";
    constructor() {
      throw new TypeError("Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.");
    }
  }
  vi.stubGlobal("window", { Notification });
  vi.stubGlobal("Notification", Notification);
  vi.stubGlobal("navigator", {
    ...(worker && { serviceWorker: { register: () => Promise.resolve(), ready: Promise.resolve(worker) } }),
  });
  const { showNotice } = await import("./browserNotification.ts");
  showNotice(notice, () => undefined);
  return say;
}

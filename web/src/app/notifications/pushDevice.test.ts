import { expect, onTestFinished, test, vi } from "vitest";

test("a push subscription that the browser dropped is made again, for who turned it on", async () => {
  const { renewDevice, pushManager, posted } = await aDevice({ turnedOnBy: "7" });
  await renewDevice(8);
  expect(posted).toEqual([]);

  await renewDevice(7);
  expect(pushManager.subscribe).toHaveBeenCalledExactlyOnceWith({
    userVisibleOnly: true,
    applicationServerKey: "the server's",
  });
  expect(posted).toEqual([expect.stringContaining("https://push.example/new")]);
});

test("a push subscription that is still there is registered under this session", async () => {
  const { renewDevice, pushManager, posted } = await aDevice({ turnedOnBy: "7", kept: "https://push.example/kept" });
  await renewDevice(7);
  expect(pushManager.subscribe).toHaveBeenCalledOnce();
  expect(posted).toEqual([expect.stringContaining("https://push.example/kept")]);
});

test("a push subscription of former keys of the installation is replaced", async () => {
  const { renewDevice, posted } = await aDevice({
    turnedOnBy: "7",
    kept: "https://push.example/kept",
    isOfFormerKeys: true,
  });
  await renewDevice(7);
  expect(posted).toEqual([expect.stringContaining("https://push.example/new")]);
});

interface DeviceOptions {
  readonly turnedOnBy: string;
  /** Its subscription. */
  readonly kept?: string;
  readonly isOfFormerKeys?: boolean;
}

/** A browser that may notify, with this push subscription or none; what it posts to our server. */
async function aDevice({ turnedOnBy, kept, isOfFormerKeys = false }: DeviceOptions) {
  const posted: string[] = [];
  let current = kept;
  const subscription = (endpoint: string) => ({
    endpoint,
    toJSON: () => ({ endpoint, keys: {} }),
    unsubscribe: () => Promise.resolve((current = undefined)),
  });
  const pushManager = {
    getSubscription: () => Promise.resolve(current === undefined ? null : subscription(current)),
    subscribe: vi.fn<(options: PushSubscriptionOptionsInit) => Promise<unknown>>(async () => {
      if (current !== undefined && isOfFormerKeys) {
        throw new DOMException("a subscription with another key exists", "InvalidStateError");
      }
      return subscription((current ??= "https://push.example/new"));
    }),
  };
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  });
  vi.resetModules();
  vi.stubEnv("PROD", true);
  vi.stubGlobal("Notification", { permission: "granted" });
  vi.stubGlobal("window", { Notification });
  vi.stubGlobal("document", { documentElement: { lang: "pt" } });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => (key === "prosa.devices" ? turnedOnBy : null),
    removeItem: () => undefined,
  });
  vi.stubGlobal("navigator", {
    serviceWorker: { register: () => Promise.resolve(), ready: Promise.resolve({ pushManager }) },
  });
  vi.stubGlobal("fetch", (_: string, { body }: { readonly body?: string }) => {
    if (body !== undefined) {
      posted.push(body);
    }
    return Promise.resolve(Response.json({ publicKey: "the server's" }));
  });
  const { renewDevice } = await import("./pushDevice.ts");
  return { renewDevice, pushManager, posted };
}

import { expect, onTestFinished, test, vi } from "vitest";
import { fullDisk } from "../full-disk.testing.ts";

test("a message is sent although the disk is too full to store it (M-05)", async () => {
  const sent: string[] = [];
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("indexedDB", fullDisk());
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", Object.assign(new EventTarget(), { documentElement: { lang: "pt" } }));
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("fetch", (_: string, { body }: { readonly body: string }) => {
    sent.push(body);
    return Promise.resolve(Response.json([]));
  });
  const { outbox } = await import("./outbox.browser.ts");

  await outbox.add({ ticketId: 3, userId: 1, body: "Já enviei", file: null, quotedMsgId: null });
  await vi.waitFor(() => expect(outbox.entries()).toEqual([]));

  expect(sent).toEqual([expect.stringContaining("Já enviei")]);
});

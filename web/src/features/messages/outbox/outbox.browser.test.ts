import { expect, onTestFinished, test, vi } from "vitest";
import { fullDisk } from "../full-disk.testing.ts";

test("a message is sent although the disk is too full to store it (M-05)", async () => {
  const sent = aPage(fullDisk());
  const { outbox } = await import("./outbox.browser.ts");
  await outbox.open(1);

  await outbox.add(text);
  await vi.waitFor(() => expect(outbox.entries()).toEqual([]));

  expect(sent).toEqual([expect.stringContaining("Já enviei")]);
});

test("a database that could not be opened, or was closed by the browser, is opened again (M-05)", async () => {
  const disk = fullDisk();
  const opened: { readonly result: IDBDatabase; readonly onsuccess: () => void; readonly onerror: () => void }[] = [];
  const open = vi.fn<IDBFactory["open"]>((name) => {
    const request = disk.open(name);
    opened.push(request as unknown as (typeof opened)[number]);
    return request;
  });
  aPage({ open });
  const { outbox } = await import("./outbox.browser.ts");

  const opening = outbox.open(1);
  opened[0]!.onerror();
  await opening;
  await outbox.open(1);
  await outbox.open(1);
  expect(open).toHaveBeenCalledTimes(2);

  opened[1]!.result.onclose?.(new Event("close"));
  await outbox.open(1);
  expect(open).toHaveBeenCalledTimes(3);
});

test("who signs out leaves no message on the screen that the next person's session would send (M-05)", async () => {
  aPage(fullDisk());
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
  const { outbox } = await import("./outbox.browser.ts");
  const { endSession } = await import("#web/lib/session/session.ts");
  await outbox.open(1);
  await outbox.add(text);

  endSession();

  expect(outbox.entries()).toEqual([]);
});

test("a file whose upload stalls is sent again, and the text behind it follows (M-05, M-06)", async () => {
  const sent = aPage(fullDisk());
  const uploads: { onload?: () => void; onloadend?: () => void }[] = [];
  vi.stubGlobal("XMLHttpRequest", function stalled(this: Record<string, unknown>) {
    const nothing = () => undefined;
    Object.assign(this, { upload: {}, open: nothing, setRequestHeader: nothing, abort: nothing, send: nothing });
    Object.assign(this, { getResponseHeader: () => null, status: 200, responseText: "[]" });
    uploads.push(this);
  });
  const { outbox } = await import("./outbox.browser.ts");
  await outbox.open(1);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());

  const video = { blob: new Blob(["v"], { type: "video/mp4" }), name: "obra.mp4", isVoice: false };
  void outbox.add({ ...text, file: video });
  void outbox.add(text);
  await vi.advanceTimersByTimeAsync(30_100);
  expect([uploads.length, sent.length, outbox.entries()[0]?.state]).toEqual([1, 0, "waiting"]);

  await vi.advanceTimersByTimeAsync(500);
  uploads[1]?.onload?.();
  uploads[1]?.onloadend?.();
  await vi.advanceTimersByTimeAsync(100);
  expect(outbox.entries()).toEqual([]);
  expect(sent).toEqual([expect.stringContaining("Já enviei")]);
});

test("a file that cannot be read any more fails at once, and the text behind it goes; its own words may go without it (M-05, M-06)", async () => {
  const sent = aPage(fullDisk());
  const { outbox } = await import("./outbox.browser.ts");
  await outbox.open(1);
  const blob = new Blob(["d"]);
  // as a browser does when the file was saved again, moved or deleted after it was chosen
  const error = new DOMException("The requested file could not be read", "NotReadableError");
  Object.assign(blob, { slice: () => ({ arrayBuffer: () => Promise.reject(error) }) });

  void outbox.add({ ...text, body: "O contrato", file: { blob, name: "contrato.docx", isVoice: false } });
  void outbox.add(text);

  await vi.waitFor(() => expect(sent).toEqual([expect.stringContaining("Já enviei")]));
  const [failed] = outbox.entries();
  expect(failed).toMatchObject({ state: "failed", failure: "ERR_FILE_UNREADABLE" });

  await outbox.sendWithoutFile(failed!.clientId);
  await vi.waitFor(() => expect(outbox.entries()).toEqual([]));
  expect(sent[1]).toContain("O contrato");
});

const text = { ticketId: 3, userId: 1, body: "Já enviei", file: null, quotedMsgId: null };

/** A page with this database; the bodies that it posts. */
function aPage(indexedDB: Pick<IDBFactory, "open">): readonly string[] {
  const sent: string[] = [];
  vi.resetModules();
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("indexedDB", indexedDB);
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", Object.assign(new EventTarget(), { documentElement: { lang: "pt" } }));
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("fetch", (_: string, { body }: { readonly body: string }) => {
    sent.push(body);
    return Promise.resolve(Response.json([]));
  });
  return sent;
}

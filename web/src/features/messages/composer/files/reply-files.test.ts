import { expect, onTestFinished, test, vi } from "vitest";
import type { ShownReply } from "./reply-files.ts";
import { fullDisk } from "../../full-disk.testing.ts";

test("a file that was scheduled leaves its own conversation, whichever is open when that is saved (T-19)", async () => {
  const { takeOutOf, shownReplies, loadFiles, saveFiles } = await aPage();
  const [photo, contract] = [aFile("a", "foto.jpg"), aFile("b", "contrato.pdf")];
  await saveFiles(3, [photo, contract]);
  const other = aReply();
  shownReplies.set(4, other);

  await takeOutOf(3, "a");

  expect(await loadFiles(3)).toEqual([contract]);
  expect(other.takeOut).not.toHaveBeenCalled();

  // opened again meanwhile: the visit of now has the files
  const again = aReply();
  shownReplies.set(3, again);
  await takeOutOf(3, "b");
  expect(again.takeOut).toHaveBeenCalledWith("b");
});

test("a folder, or a file that is gone, is attached at once and taken out when it cannot be read (M-06)", async () => {
  const { attachTo, shownReplies } = await aPage();
  const [folder, photo] = [unreadable("pasta"), new File(["x"], "foto.jpg")];
  const reply = aReply((files) => files.map((file) => ({ id: file.name, file, caption: "", preview: null })));
  shownReplies.set(3, reply);

  await attachTo(3, [folder, photo]);

  await vi.waitFor(() => expect(reply.reject).toHaveBeenCalled());
  expect(reply.reject.mock.calls).toEqual([[expect.objectContaining({ id: "pasta" })]]);
});

const aFile = (id: string, name: string) => ({ id, file: new File(["x"], name), caption: "" });

/** As Chrome gives a folder that was dropped on macOS or Linux, and a file that was changed after it was chosen. */
function unreadable(name: string): File {
  const file = new File(["x"], name);
  const error = new DOMException("The requested file could not be read", "NotReadableError");
  return Object.assign(file, { slice: () => ({ arrayBuffer: () => Promise.reject(error) }) });
}

function aReply(add: ShownReply["add"] = () => []) {
  return { add, takeOut: vi.fn<(id: string) => void>(), reject: vi.fn<(one: unknown) => void>() };
}

/** A tab whose disk is too full: the files of its replies are in memory. */
async function aPage() {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.resetModules();
  vi.stubGlobal("indexedDB", fullDisk());
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal("window", Object.assign(new EventTarget(), { requestIdleCallback: () => undefined }));
  vi.stubGlobal("document", Object.assign(new EventTarget(), { documentElement: { lang: "pt" } }));
  vi.stubGlobal("BroadcastChannel", undefined);
  const [replies, kept] = await Promise.all([import("./reply-files.ts"), import("./draft-files.ts")]);
  return { ...replies, ...kept };
}

import { expect, onTestFinished, test, vi } from "vitest";
import { send } from "./transport.ts";

const form = () => ({ method: "POST", url: "/messages/1", headers: {}, body: new FormData() });
const plain = { method: "PUT", url: "/queue/1", headers: {}, body: "{}" };

test("an upload that was cancelled before it began is not sent (M-05)", async () => {
  const { uploads } = aPage();
  const request = { ...form(), signal: AbortSignal.abort() };

  await expect(send(request)).rejects.toMatchObject({ code: "cancelled" });
  expect(uploads).toEqual([]);
});

test("a call that is not answered fails after half a minute, a slow one after two (N-05)", async () => {
  aPage();
  const usual = outcomeOf(send(plain));
  const slow = outcomeOf(send({ ...plain, isSlow: true }));

  await vi.advanceTimersByTimeAsync(29_999);
  expect([usual.code, slow.code]).toEqual([undefined, undefined]);
  await vi.advanceTimersByTimeAsync(1);
  expect([usual.code, slow.code]).toEqual(["network", undefined]);
  await vi.advanceTimersByTimeAsync(89_999);
  expect(slow.code).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(slow.code).toBe("network");
});

test("a call that its caller gives up is cancelled at once, and no timer stays behind (N-05)", async () => {
  aPage();
  const given = new AbortController();
  const call = outcomeOf(send({ ...plain, signal: given.signal }));
  const late = outcomeOf(send({ ...plain, signal: AbortSignal.abort() }));

  given.abort();
  await vi.advanceTimersByTimeAsync(0);

  expect([call.code, late.code]).toEqual(["cancelled", "cancelled"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a browser that cannot join two signals makes calls all the same, and its caller's signal is let go of (N-05)", async () => {
  aPage();
  vi.stubGlobal("AbortSignal", Object.assign(class {}, { any: undefined }));
  const given = new AbortController();
  const letGo = vi.spyOn(given.signal, "removeEventListener");
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ id: 7 })));

  await expect(send({ ...plain, signal: given.signal })).resolves.toEqual({ status: 200, body: { id: 7 } });
  expect(letGo).toHaveBeenCalledWith("abort", expect.any(Function));
});

test("an upload fails once nothing more of it is sent, however long it takes while it moves (M-05, M-06)", async () => {
  const { uploads } = aPage();
  const shown: number[] = [];
  const call = outcomeOf(send({ ...form(), onProgress: (share) => shown.push(share) }));

  for (const loaded of [10, 20, 30, 40]) {
    await vi.advanceTimersByTimeAsync(29_000);
    uploads[0]!.moves(loaded);
  }
  expect(shown).toEqual([0.1, 0.2, 0.3, 0.4]);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(call.code).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(call.code).toBe("network");
  expect(uploads[0]!.isAborted).toBe(true);
});

test("the server has longer for an upload that it got whole (M-05, M-06)", async () => {
  const { uploads } = aPage();
  const lost = outcomeOf(send(form()));
  const stored = send(form());
  uploads.forEach((each) => each.isSent());

  await vi.advanceTimersByTimeAsync(119_999);
  expect(lost.code).toBeUndefined();
  uploads[1]!.answers('{"id":7}');
  await expect(stored).resolves.toEqual({ status: 200, body: { id: 7 } });
  await vi.advanceTimersByTimeAsync(1);
  expect(lost.code).toBe("network");
  expect(vi.getTimerCount()).toBe(0);
});

/** What became of a call; the code of its error. */
function outcomeOf(call: Promise<unknown>): { code?: string } {
  const outcome: { code?: string } = {};
  call.catch((error: { readonly code: string }) => {
    outcome.code = error.code;
  });
  return outcome;
}

/** A page whose server answers nothing by itself; the uploads that it began. */
function aPage(): { readonly uploads: readonly FakeUpload[] } {
  const uploads: FakeUpload[] = [];
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  vi.stubGlobal("document", { documentElement: { lang: "pt" } });
  vi.stubGlobal(
    "fetch",
    (_: string, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
        if (signal.aborted) {
          reject(signal.reason as Error);
        }
      }),
  );
  vi.stubGlobal(
    "XMLHttpRequest",
    class extends FakeUpload {
      constructor() {
        super();
        uploads.push(this);
      }
    },
  );
  return { uploads };
}

class FakeUpload {
  readonly upload: { onprogress?: (event: object) => void; onload?: () => void } = {};
  onload?: () => void;
  onloadend?: () => void;
  onabort?: () => void;
  status = 0;
  responseText = "";
  isAborted = false;

  open(): void {}
  setRequestHeader(): void {}
  send(): void {}
  getResponseHeader(): null {
    return null;
  }
  abort(): void {
    this.isAborted = true;
    this.onabort?.();
    this.onloadend?.();
  }
  moves(loaded: number): void {
    this.upload.onprogress?.({ loaded, total: 100, lengthComputable: true });
  }
  isSent(): void {
    this.upload.onload?.();
  }
  answers(text: string): void {
    this.status = 200;
    this.responseText = text;
    this.onload?.();
    this.onloadend?.();
  }
}

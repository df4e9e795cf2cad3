import { expect, onTestFinished, test, vi } from "vitest";
import { send } from "./transport.ts";

test("an upload that was cancelled before it began is not sent (M-05)", async () => {
  const open = vi.fn<() => void>();
  vi.stubGlobal(
    "XMLHttpRequest",
    class {
      readonly open = open;
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const request = { method: "POST", url: "/messages/1", headers: {}, signal: AbortSignal.abort() };

  await expect(send({ ...request, onProgress: () => undefined })).rejects.toMatchObject({ code: "cancelled" });
  expect(open).not.toHaveBeenCalled();
});

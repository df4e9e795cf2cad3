import { expect, onTestFinished, test, vi } from "vitest";
import { ApiError } from "#web/lib/api/apiError.ts";
import { toast } from "#web/ui/Toast.tsx";
import { orBack } from "./or-back.ts";

test("a second step that took too long leads back to the password and says why; a wrong code stays (V-03)", async () => {
  vi.stubGlobal("document", { documentElement: { lang: "pt-BR" } });
  const said = vi.spyOn(toast, "error").mockImplementation(() => undefined);
  onTestFinished(() => {
    said.mockRestore();
    vi.unstubAllGlobals();
  });
  const back = vi.fn<() => void>();

  const wrong = new ApiError("ERR_SECOND_FACTOR_CODE", 400);
  await expect(orBack(Promise.reject(wrong), back)).rejects.toBe(wrong);
  expect([said.mock.calls, back.mock.calls]).toEqual([[], []]);

  await orBack(Promise.reject(new ApiError("ERR_NOT_SIGNED_IN", 401)), back);
  expect(said.mock.calls).toEqual([["O tempo para confirmar acabou. Entre de novo com a sua senha."]]);
  expect(back).toHaveBeenCalledOnce();
});

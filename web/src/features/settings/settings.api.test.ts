import type { SessionUser } from "@prosa/contract/auth";
import { QueryClient } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import { saveSettingOptions, settingsOptions, settingsRealtime } from "./settings.api.ts";

test("hours, time zone and language that a colleague changed are fetched again (G-02, G-03)", () => {
  const queryClient = new QueryClient();
  queryClient.setQueryData(["companies", "own", 7], {});
  const company = { id: 7, name: "Aurora", dueDate: null, trialExpiration: null, timeZone: "America/Manaus" };
  settingsRealtime.company?.({ action: "update", company }, queryClient, {} as SessionUser);
  expect(queryClient.getQueryState(["companies", "own", 7])?.isInvalidated).toBe(true);
});

test("a change that the server refuses takes back itself alone (G-02)", async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("document", { documentElement: { lang: "pt-BR" } });
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  const answers = new Map<string, PromiseWithResolvers<Response>>();
  vi.stubGlobal("fetch", async (url: string | Request) => {
    const answer = Promise.withResolvers<Response>();
    answers.set(
      String(url instanceof Request ? url.url : url)
        .split("/")
        .at(-1)!,
      answer,
    );
    return answer.promise;
  });
  const queryClient = new QueryClient();
  queryClient.setQueryData(settingsOptions.queryKey, [
    { key: "userRating", value: "disabled" },
    { key: "CheckMsgIsGroup", value: "enabled" },
  ]);
  const save = (key: "userRating" | "CheckMsgIsGroup", value: string) =>
    queryClient.getMutationCache().build(queryClient, saveSettingOptions(queryClient)).execute({ key, value });

  const [first, second] = [save("userRating", "enabled"), save("CheckMsgIsGroup", "disabled")];
  await expect.poll(() => answers.size).toBe(2);
  const refusal = Response.json({ error: "ERR_NO_PERMISSION" }, { status: 403 });
  answers.get("CheckMsgIsGroup")!.resolve(Response.json({ key: "CheckMsgIsGroup", value: "disabled" }));
  await second;
  answers.get("userRating")!.resolve(refusal);
  await expect(first).rejects.toThrow();
  expect(queryClient.getQueryData(settingsOptions.queryKey)).toEqual([
    { key: "userRating", value: "disabled" },
    { key: "CheckMsgIsGroup", value: "disabled" },
  ]);
});

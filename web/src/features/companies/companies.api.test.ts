import { expect, onTestFinished, test, vi } from "vitest";
import { withTrial } from "./companies.api.ts";

test("a later due date goes with the trial as it is now, unless the switch was touched (Y-01)", async () => {
  const asked: string[] = [];
  vi.stubGlobal("document", { documentElement: { lang: "pt" } });
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url);
    return Promise.resolve(Response.json({ id: 7, isTrial: false }));
  });
  onTestFinished(() => void vi.unstubAllGlobals());

  expect(await withTrial(7, { isTrial: true })).toEqual({ isTrial: true });
  expect(await withTrial(7, { dueDate: "2031-11-30", isTrial: true })).toEqual({
    dueDate: "2031-11-30",
    isTrial: true,
  });
  expect(asked).toEqual([]);
  expect(await withTrial(7, { dueDate: "2031-11-30" })).toEqual({ dueDate: "2031-11-30", isTrial: false });
  expect(asked).toEqual(["/companies/7"]);
});

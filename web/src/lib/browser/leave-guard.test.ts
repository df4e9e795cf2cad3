import { expect, test } from "vitest";
import { askBeforeLeaving, mayLeave } from "./leave-guard.ts";

test("whoever has something to lose is asked, the newest first, and one who stays is enough (Z-03, S-11)", async () => {
  const asked: string[] = [];
  const question = (name: string, answer: boolean) => async () => {
    asked.push(name);
    return answer;
  };
  expect(await mayLeave()).toBe(true);
  const leave = askBeforeLeaving(question("form", true));
  const stay = askBeforeLeaving(question("form over it", false));
  expect([await mayLeave(), asked]).toEqual([false, ["form over it"]]);
  stay();
  expect([await mayLeave(), asked]).toEqual([true, ["form over it", "form"]]);
  leave();
  expect([await mayLeave(), asked.length]).toEqual([true, 2]);
});

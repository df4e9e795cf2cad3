import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { leaveAtOnce, reloadPage, whenMayLeave } from "#web/lib/routing/router.tsx";
import { askBeforeLeaving, leaveFor, mayLeave } from "./leave-guard.ts";

const page = new EventTarget();
const reload = vi.fn<() => void>();
const pushState = vi.fn<(state: unknown, title: string, path: string) => void>();
beforeAll(() => {
  vi.stubGlobal("window", page);
  vi.stubGlobal("location", { reload });
  vi.stubGlobal("history", { pushState });
});
afterAll(() => void vi.unstubAllGlobals());

/** Does the browser ask before it closes or reloads the page? */
function isHeldByBrowser(): boolean {
  const leaving = new Event("beforeunload", { cancelable: true });
  page.dispatchEvent(leaving);
  return leaving.defaultPrevented;
}

test("whoever has something to lose is asked, the newest first, and one who stays is enough (Z-03, S-11)", async () => {
  const asked: string[] = [];
  const question = (name: string, answer: boolean) => async () => {
    asked.push(name);
    return answer;
  };
  expect(await mayLeave()).toBe(true);
  const leave = askBeforeLeaving(question("form", true), () => undefined);
  const stay = askBeforeLeaving(question("form over it", false), () => undefined);
  expect([await mayLeave(), asked]).toEqual([false, ["form over it"]]);
  stay();
  expect([await mayLeave(), asked]).toEqual([true, ["form over it", "form"]]);
  leave();
  expect([await mayLeave(), asked.length]).toEqual([true, 2]);
});

test("what may be lost is discarded once all have said so, and not before; what was closed meanwhile is left alone (S-04, S-11)", async () => {
  const discarded: string[] = [];
  const discard = (name: string) => () => void discarded.push(name);
  let isLost = false;
  const close = [
    askBeforeLeaving(async () => isLost, discard("form")),
    askBeforeLeaving(async () => true, discard("form over it")),
  ];
  expect([await mayLeave(), discarded]).toEqual([false, []]);
  isLost = true;
  expect([await mayLeave(), discarded]).toEqual([true, ["form over it", "form"]]);

  const saved: (() => void)[] = [];
  close.push(askBeforeLeaving(async () => (saved.forEach((leave) => leave()), true), discard("asked")));
  saved.push(askBeforeLeaving(async () => true, discard("saved")));
  await mayLeave();
  expect(discarded.slice(2)).toEqual(["asked", "form over it", "form"]);
  close.forEach((leave) => leave());
});

test("a reload, a sign-out and a notification ask as a link does; the browser asks for F5, and not for a reload of ours (S-04, S-06, S-11)", async () => {
  const answers = [false, true];
  const leave = askBeforeLeaving(
    async () => answers.shift() ?? false,
    () => undefined,
  );
  expect(isHeldByBrowser()).toBe(true);

  whenMayLeave(reloadPage);
  await vi.waitFor(() => expect(answers).toEqual([true]));
  expect([reload.mock.calls.length, isHeldByBrowser()]).toEqual([0, true]);
  leaveFor("/tickets/1");
  await vi.waitFor(() => expect(pushState).toHaveBeenCalledWith(null, "", "/tickets/1"));

  // who presses Reload has answered
  reloadPage();
  expect([reload.mock.calls.length, isHeldByBrowser()]).toEqual([1, false]);
  leave();
  expect(isHeldByBrowser()).toBe(false);
  whenMayLeave(reloadPage);
  expect(reload).toHaveBeenCalledTimes(2);

  // the token is out of date, or somebody else signed in: nobody is asked
  const form = askBeforeLeaving(
    async () => false,
    () => undefined,
  );
  expect(isHeldByBrowser()).toBe(true);
  leaveAtOnce();
  expect([reload.mock.calls.length, isHeldByBrowser()]).toEqual([3, false]);
  form();
});

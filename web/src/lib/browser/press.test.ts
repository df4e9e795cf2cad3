import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchPresses, whenReleased } from "./press.ts";

/** Stands for the window and for the button that its events are about. */
class ButtonOfRow extends EventTarget {
  closest = () => this;
  matches = () => true;
}
const button = new ButtonOfRow();
vi.stubGlobal("window", button);
const ended = vi.fn<() => void>();
watchPresses(ended);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const send = (type: string, detail: object = {}) => button.dispatchEvent(Object.assign(new Event(type), detail));

/** Whether what waits for the end of the press is still waiting. */
async function isHeld(): Promise<boolean> {
  let isWaiting = true;
  void whenReleased().then(() => (isWaiting = false));
  await vi.advanceTimersByTimeAsync(0);
  return isWaiting;
}

test("a press holds rows and answers until its click, who aims at a row's button for a moment (T-08)", async () => {
  expect(await isHeld()).toBe(false);

  send("pointerover", { pointerType: "mouse" });
  expect(await isHeld()).toBe(true);
  await vi.advanceTimersByTimeAsync(500);
  expect(await isHeld()).toBe(false);
  // a pointer that stays does not hold them again
  send("pointerover", { pointerType: "mouse" });
  expect(await isHeld()).toBe(false);

  send("pointerdown", { button: 0 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await isHeld()).toBe(true);
  send("pointerup");
  expect(await isHeld()).toBe(true);
  send("click");
  expect(await isHeld()).toBe(false);
  expect(ended).toHaveBeenCalledTimes(2);
});

test("the space bar on a button is a press until its click; other keys are none (T-08)", async () => {
  send("keydown", { key: "a" });
  expect(await isHeld()).toBe(false);
  send("keydown", { key: " " });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await isHeld()).toBe(true);
  send("keyup", { key: " " });
  expect(await isHeld()).toBe(true);
  send("click");
  expect(await isHeld()).toBe(false);
});

test("a press without a click, or without an end, does not hold them for long (T-22)", async () => {
  send("pointerdown", { button: 0 });
  send("pointerup");
  await vi.advanceTimersByTimeAsync(100);
  expect(await isHeld()).toBe(false);

  send("pointerdown", { button: 0 });
  send("pointercancel");
  expect(await isHeld()).toBe(false);

  send("pointerdown", { button: 0 });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await isHeld()).toBe(false);
  send("pointerdown", { button: 2 });
  expect(await isHeld()).toBe(false);
});

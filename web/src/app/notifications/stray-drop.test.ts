import { expect, onTestFinished, test, vi } from "vitest";
import { keepPageOnDrop } from "./stray-drop.ts";

class Picker extends EventTarget {
  readonly type = "file";
}

test("a file that nothing takes is not opened instead of the page; text and what somebody takes are left alone (M-06)", () => {
  const page = new EventTarget();
  vi.stubGlobal("window", page);
  vi.stubGlobal("HTMLInputElement", Picker);
  onTestFinished(() => void vi.unstubAllGlobals());
  const dragged = (name: string, types: readonly string[]) => {
    const dataTransfer = { types, dropEffect: "copy" };
    return Object.assign(new Event(name, { cancelable: true }), { dataTransfer });
  };
  const stop = keepPageOnDrop();

  for (const name of ["dragover", "drop"]) {
    const file = dragged(name, ["Files"]);
    page.dispatchEvent(file);
    expect([file.defaultPrevented, file.dataTransfer.dropEffect]).toEqual([true, "none"]);

    const text = dragged(name, ["text/plain"]);
    page.dispatchEvent(text);
    expect(text.defaultPrevented).toBe(false);

    const taken = dragged(name, ["Files"]);
    taken.preventDefault();
    page.dispatchEvent(taken);
    expect(taken.dataTransfer.dropEffect).toBe("copy");
  }

  const picked = dragged("drop", ["Files"]);
  Object.defineProperty(picked, "target", { value: new Picker() });
  page.dispatchEvent(picked);
  expect(picked.defaultPrevented).toBe(false);

  stop();
  const after = dragged("drop", ["Files"]);
  page.dispatchEvent(after);
  expect(after.defaultPrevented).toBe(false);
});

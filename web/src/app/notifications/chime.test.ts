import { expect, onTestFinished, test, vi } from "vitest";

/** The module anew, in a page that was touched already or not; counts the notes that begin. */
async function aPage(hasBeenActive: boolean) {
  const begun = vi.fn<() => void>();
  class FakeAudio {
    currentTime = 0;
    destination = {};
    resume = () => Promise.resolve();
    createOscillator = () => ({
      frequency: {},
      connect: () => ({ connect: () => undefined }),
      start: begun,
      stop: () => undefined,
    });
    createGain = () => ({
      gain: {
        setValueAtTime: () => undefined,
        linearRampToValueAtTime: () => undefined,
        exponentialRampToValueAtTime: () => undefined,
      },
    });
  }
  const page = new EventTarget();
  vi.stubGlobal("AudioContext", FakeAudio);
  vi.stubGlobal("window", Object.assign(page, { AudioContext: FakeAudio }));
  vi.stubGlobal("navigator", { userActivation: { hasBeenActive } });
  vi.resetModules();
  onTestFinished(() => void vi.unstubAllGlobals());
  const { chime, readyChime } = await import("./chime.ts");
  readyChime();
  const ring = async () => {
    chime(1);
    await Promise.resolve();
    return begun.mock.calls.length;
  };
  return { page, ring };
}

test("the sound rings from the first touch on, also where that came before this code did (N-01)", async () => {
  const untouched = await aPage(false);
  expect(await untouched.ring()).toBe(0);
  untouched.page.dispatchEvent(new Event("pointerdown"));
  expect(await untouched.ring()).toBe(2);

  const touched = await aPage(true);
  expect(await touched.ring()).toBe(2);
});

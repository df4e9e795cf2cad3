import { expect, test } from "vitest";
import { barCount, barsOf, barsPath, decodeWaveform } from "./waveform.ts";

test("the heights of a voice note are its bars, the loudest of each part (M-04)", () => {
  const bytes = Array.from({ length: 64 }, (_, at) => (at === 63 ? 50 : at === 0 ? 25 : 0));
  const bars = decodeWaveform(btoa(String.fromCharCode(...bytes)))!;
  expect(bars).toHaveLength(barCount);
  expect([bars[0], bars[1], bars.at(-1)]).toEqual([0.5, 0, 1]);
});

test("nothing, silence and odd bytes draw no wave or a valid one (M-04)", () => {
  expect(decodeWaveform(null)).toBeUndefined();
  expect(decodeWaveform(btoa("\0\0\0"))).toBeUndefined();
  expect(Math.max(...decodeWaveform(btoa("\xFF\x10"))!)).toBe(1);
});

test("a file that is measured counts both sides of its wave (M-04)", () => {
  const bars = barsOf(Float32Array.from({ length: 4_000 }, (_, at) => (at < 100 ? -0.8 : 0.4)));
  expect([bars[0], bars[20]]).toEqual([1, 0.5]);
  expect(barsPath([0, 1])).toBe("M2.5 13.0V15.0M7.5 2.0V26.0");
});

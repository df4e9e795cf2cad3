import { expect, test } from "vitest";
import { levelOf } from "./level.ts";
import { problemOf } from "./recording.ts";

test.each([
  ["NotAllowedError", "denied"],
  ["NotFoundError", "missing"],
  ["NotReadableError", "busy"],
  ["TypeError", "broken"],
])("the browser error %s means the problem %s (M-07)", (name, problem) => {
  expect(problemOf(new DOMException("no", name))).toBe(problem);
});

test("the level is 0 in silence, 1 at full scale, and moves with speech (M-07)", () => {
  const tone = (height: number) => Float32Array.from({ length: 512 }, (_, at) => height * Math.sin(at / 5));
  expect(levelOf(new Float32Array(512))).toBe(0);
  expect(levelOf(tone(1.5))).toBe(1);
  const [whisper, speech] = [levelOf(tone(0.02)), levelOf(tone(0.2))];
  expect(whisper).toBeGreaterThan(0.1);
  expect(speech).toBeGreaterThan(whisper + 0.2);
});

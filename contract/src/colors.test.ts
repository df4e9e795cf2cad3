import { expect, test } from "vitest";
import { paletteColors } from "./colors.ts";

test("the palette has 49 colours, all different (Q-01)", () => {
  expect(new Set(paletteColors).size).toBe(49);
  expect(paletteColors.filter((color) => !/^#[\da-f]{6}$/u.test(color))).toEqual([]);
});

import { expect, test } from "vitest";
import { media, size } from "#web/ui/tokens.ts";
import { DEBOUNCE_MS, NEAR_END_PX } from "#web/lib/browser/hooks.ts";
import { parseVolume, volumeStep } from "#web/lib/browser/volume.ts";

/** Section 9 of specification 1, the screens' part. */

test("searches wait 500 ms, and lists go on within 100 px of their end (E-04)", () => {
  expect([DEBOUNCE_MS, NEAR_END_PX]).toEqual([500, 100]);
});

test("measures of the shell (E-04, S-01)", () => {
  expect(size).toMatchObject({ drawer: 240, contactDrawer: 320, popover: 350, qr: 256, calendar: 500 });
  expect(size).toMatchObject({ drawerOpensAbove: 1_200, phoneBelow: 600 });
  expect(media.phone).toBe("@media (max-width: 599.95px)");
});

test.each([
  [undefined, 1],
  ["", 1],
  ["0", 0],
  ["0.34", 0.3],
  ["1", 1],
  ["1.2", 1],
  ["-1", 1],
  ["loud", 1],
])("a stored volume of %s is %d: 0 to 1 in steps of 0.1, full unless set (E-04, S-04)", (stored, volume) => {
  expect(volumeStep).toBe(0.1);
  expect(parseVolume(stored)).toBe(volume);
});

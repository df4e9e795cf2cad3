import { expect, test } from "vitest";
import { zoneText, zonesFor } from "./time-zones.ts";

test("zones of Brazil come first, with their UTC offset, and the chosen one is always listed (G-02)", () => {
  const { brazil, world } = zonesFor("America/Argentina/Buenos_Aires", new Date("2026-11-18T12:00:00Z"));
  expect(brazil[0]).toEqual({ name: "America/Sao_Paulo", label: "America / Sao Paulo (GMT-3)" });
  expect(world.map(({ name }) => name)).toEqual(expect.arrayContaining(["America/Argentina/Buenos_Aires", "UTC"]));
  expect(world.some(({ name }) => name === "America/Sao_Paulo")).toBe(false);
  expect(zoneText("America/Porto_Velho")).toBe("America / Porto Velho");
});

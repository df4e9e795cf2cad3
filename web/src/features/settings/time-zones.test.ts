import { expect, test } from "vitest";
import { zoneName, zonesFor } from "./time-zones.ts";

test("zones of Brazil come first, with their UTC offset, and the chosen one is always listed (G-02)", () => {
  const { brazil, world } = zonesFor("America/Argentina/Buenos_Aires", new Date("2026-11-18T12:00:00Z"));
  expect(brazil[0]).toEqual({ name: "America/Sao_Paulo", label: "America / Sao Paulo (GMT-3)" });
  expect(world.map(({ name }) => name)).toEqual(expect.arrayContaining(["America/Argentina/Buenos_Aires", "UTC"]));
  expect(world.some(({ name }) => name === "America/Sao_Paulo")).toBe(false);
  expect(brazil.find(({ name }) => name === "America/Porto_Velho")?.label).toContain("America / Porto Velho");
});

test("a sentence names the zone as people do, in each language (G-03, S-08)", () => {
  const at = new Date("2026-11-18T12:00:00Z");
  expect(zoneName("America/Sao_Paulo", "pt", at)).toMatch(/^Horário .*de Brasília \(GMT-3\)$/u);
  expect(zoneName("America/Sao_Paulo", "en", at)).toMatch(/^Brasilia .*Time \(GMT-3\)$/u);
  expect(zoneName("America/Sao_Paulo", "es", at)).toMatch(/^hora .*de Brasilia \(GMT-3\)$/u);
  expect(zoneName("Etc/GMT+3", "pt", at)).toBe("GMT-3");
});

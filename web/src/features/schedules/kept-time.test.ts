import { expect, test } from "vitest";
import { keepsTime, meantTime, openedTime } from "./kept-time.ts";

test("an untouched proposal is its instant, also in the second of two equal hours (T-19, O-03)", () => {
  // In Lisbon the clocks go back from 02:00 to 01:00 at 01:00 UTC.
  const timeZone = "Europe/Lisbon";
  const opened = openedTime(new Date("2026-10-25T01:30:40Z"), timeZone);
  expect(opened).toEqual({ text: "2026-10-25T01:30", at: new Date("2026-10-25T01:30:00Z") });
  expect(meantTime("2026-10-25T01:30", opened, timeZone)).toEqual(opened.at);
  expect(meantTime("2026-10-25T01:15", opened, timeZone)).toEqual(new Date("2026-10-25T00:15:00Z"));
  expect(meantTime("amanhã", opened, timeZone)).toBeUndefined();
});

test("a waiting schedule keeps the time that was not touched; a failed and a new one need one (O-03)", () => {
  const opened = openedTime(new Date("2026-11-20T12:00:00Z"), "America/Sao_Paulo");
  const keeps = (status: "PENDENTE" | "ERRO", text = opened.text) => keepsTime({ status }, text, opened);
  expect([keeps("PENDENTE"), keeps("PENDENTE", "2026-11-20T10:00"), keeps("ERRO")]).toEqual([true, false, false]);
  expect(keepsTime(undefined, opened.text, opened)).toBe(false);
});

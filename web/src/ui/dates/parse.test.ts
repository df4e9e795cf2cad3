import { expect, test } from "vitest";
import { parseDay, parseEndTime, parseMoment, parseTime } from "./parse.ts";

// a Monday; ten past nine in São Paulo
const now = new Date("2026-11-23T12:10:00Z");
const saoPaulo = { now, timeZone: "America/Sao_Paulo" };

test.each([
  ["23/11/2026", "2026-11-23"],
  ["3/1/27", "2027-01-03"],
  ["23.11.2026", "2026-11-23"],
  ["23-11-2026", "2026-11-23"],
  ["23 11 2026", "2026-11-23"],
  ["23112026", "2026-11-23"],
  ["231126", "2026-11-23"],
  ["2026-11-23", "2026-11-23"],
  ["05/12", "2026-12-05"],
  ["dia 9", "2026-11-09"],
  ["9", "2026-11-09"],
  ["24 nov", "2026-11-24"],
  ["24 de novembro de 2027", "2027-11-24"],
  ["1º de março", "2026-03-01"],
  ["Nov 24, 2026", "2026-11-24"],
  ["March 3rd", "2026-03-03"],
  ["3 de enero de 2027", "2027-01-03"],
  ["hoje", "2026-11-23"],
  ["amanhã", "2026-11-24"],
  ["AMANHA", "2026-11-24"],
  ["mañana", "2026-11-24"],
  ["tomorrow", "2026-11-24"],
  ["depois de amanhã", "2026-11-25"],
  ["pasado mañana", "2026-11-25"],
  ["ontem", "2026-11-22"],
  ["seg", "2026-11-30"],
  ["terça", "2026-11-24"],
  ["terça-feira", "2026-11-24"],
  ["próxima sexta", "2026-11-27"],
  ["sexta que vem", "2026-11-27"],
  ["next friday", "2026-11-27"],
  ["el viernes", "2026-11-27"],
  ["em 3 dias", "2026-11-26"],
  ["in 2 weeks", "2026-12-07"],
  ["29/02/2028", "2028-02-29"],
])("the day %j is %s (Z-05)", (typed, day) => {
  expect(parseDay(typed, "2026-11-23")).toEqual({ value: day });
});

test.each([
  ["31/02", "noSuchDay"],
  ["29/02/2027", "noSuchDay"],
  ["11/23/2026", "noSuchDay"],
  ["0/1/2027", "noSuchDay"],
  ["31 de abril", "noSuchDay"],
  ["qualquer dia", "unclear"],
  ["se", "unclear"],
  ["", "unclear"],
  ["23/11/20266", "unclear"],
])("the day %j is refused as %s (Z-05)", (typed, problem) => {
  expect(parseDay(typed, "2026-11-23")).toEqual({ problem });
});

test.each([
  ["9", "09:00"],
  ["9h", "09:00"],
  ["9 h", "09:00"],
  ["09hs", "09:00"],
  ["9:30", "09:30"],
  ["9h30", "09:30"],
  ["9h30min", "09:30"],
  ["9.30", "09:30"],
  ["930", "09:30"],
  ["0930", "09:30"],
  ["às 9h", "09:00"],
  ["a las 9", "09:00"],
  ["at 9", "09:00"],
  ["9am", "09:00"],
  ["9 p.m.", "21:00"],
  ["12am", "00:00"],
  ["12 pm", "12:00"],
  ["9:30pm", "21:30"],
  ["3 da tarde", "15:00"],
  ["8 da noite", "20:00"],
  ["9 de la mañana", "09:00"],
  ["3 in the afternoon", "15:00"],
  ["15h da tarde", "15:00"],
  ["meio-dia", "12:00"],
  ["meia noite", "00:00"],
  ["noon", "12:00"],
  ["0", "00:00"],
  ["23:59", "23:59"],
])("the time %j is %s (Z-05)", (typed, time) => {
  expect(parseTime(typed)).toEqual({ value: time });
});

test.each([
  ["24:30", "noSuchTime"],
  ["24", "noSuchTime"],
  ["9:60", "noSuchTime"],
  ["13pm", "noSuchTime"],
  ["0 am", "noSuchTime"],
  ["cedo", "unclear"],
  ["9:3", "unclear"],
  ["", "unclear"],
])("the time %j is refused as %s (Z-05)", (typed, problem) => {
  expect(parseTime(typed)).toEqual({ problem });
});

test.each([
  ["23/11/2026 18:30", "2026-11-23T18:30"],
  ["23/11/2026, 18:30", "2026-11-23T18:30"],
  ["2026-11-24T09:00", "2026-11-24T09:00"],
  ["2026-11-24 09:00", "2026-11-24T09:00"],
  ["amanhã 9h", "2026-11-24T09:00"],
  ["amanha 9h", "2026-11-24T09:00"],
  ["amanhã às 9h30", "2026-11-24T09:30"],
  ["9h amanhã", "2026-11-24T09:00"],
  ["tomorrow 9am", "2026-11-24T09:00"],
  ["tomorrow at 9 pm", "2026-11-24T21:00"],
  ["mañana 9h", "2026-11-24T09:00"],
  ["mañana a las 9", "2026-11-24T09:00"],
  ["mañana 9 de la mañana", "2026-11-24T09:00"],
  ["seg 14h", "2026-11-23T14:00"],
  ["seg 8h", "2026-11-30T08:00"],
  ["sexta-feira 8h", "2026-11-27T08:00"],
  ["hoje 18h", "2026-11-23T18:00"],
  ["18h", "2026-11-23T18:00"],
  ["8h", "2026-11-24T08:00"],
  ["9", "2026-11-24T09:00"],
  ["25/11 9h", "2026-11-25T09:00"],
  ["25 nov 9h", "2026-11-25T09:00"],
  ["5/1 9h", "2027-01-05T09:00"],
  ["25/11", "2026-11-25T09:00"],
  ["amanhã", "2026-11-24T09:00"],
  ["dia 30 meio-dia", "2026-11-30T12:00"],
  ["em 1 hora", "2026-11-23T10:10"],
  ["em uma hora", "2026-11-23T10:10"],
  ["daqui a 30 min", "2026-11-23T09:40"],
  ["dentro de 2 horas", "2026-11-23T11:10"],
  ["in 2 hours", "2026-11-23T11:10"],
  ["in an hour", "2026-11-23T10:10"],
  ["en 3 días", "2026-11-26T09:10"],
  ["+1h", "2026-11-23T10:10"],
  // what is past is understood; whether it may be is for the form to say
  ["ontem 9h", "2026-11-22T09:00"],
  ["23/11 8h", "2026-11-23T08:00"],
])("the moment %j is %s (Z-05)", (typed, moment) => {
  expect(parseMoment(typed, saoPaulo)).toEqual({ value: moment });
});

test.each([
  ["31/02 9h", "noSuchDay"],
  ["amanhã 24:30", "noSuchTime"],
  ["9h 31/02/2027", "noSuchDay"],
  ["qualquer hora", "unclear"],
  ["9h 10h", "unclear"],
  ["em muitas horas", "unclear"],
  ["em 9999999 dias", "unclear"],
  ["", "unclear"],
])("the moment %j is refused as %s (Z-05)", (typed, problem) => {
  expect(parseMoment(typed, saoPaulo)).toEqual({ problem });
});

test("a day without a time keeps the time that was chosen before (Z-05)", () => {
  expect(parseMoment("25/11", { ...saoPaulo, time: "16:45" })).toEqual({ value: "2026-11-25T16:45" });
});

test("a time that daylight saving skips becomes the one that the clocks show then (Z-05)", () => {
  const lisbon = { now: new Date("2027-03-20T12:00:00Z"), timeZone: "Europe/Lisbon" };
  expect(parseMoment("28/03/2027 01:30", lisbon)).toEqual({ value: "2027-03-28T02:30" });
});

test('"in one hour" is an hour of waiting, also over a change of the clocks (Z-05)', () => {
  const spring = { now: new Date("2027-03-28T00:30:00Z"), timeZone: "Europe/Lisbon" };
  expect(parseMoment("in 1 hour", spring)).toEqual({ value: "2027-03-28T02:30" });
  // 01:30 comes twice and means the first one: the second cannot be written, so it is the next that can
  const autumn = { now: new Date("2027-10-31T00:30:00Z"), timeZone: "Europe/Lisbon" };
  expect(parseMoment("in 1 hour", autumn)).toEqual({ value: "2027-10-31T02:30" });
});

test.each([
  ["24:00", "23:59"],
  ["24h", "23:59"],
  ["24", "23:59"],
  ["18h", "18:00"],
])("the end %j is %s (G-03)", (typed, time) => {
  expect(parseEndTime(typed)).toEqual({ value: time });
});

test("no other time is beyond the day's end (G-03)", () => {
  expect(parseEndTime("24:01")).toEqual({ problem: "noSuchTime" });
});

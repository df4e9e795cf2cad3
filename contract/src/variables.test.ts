import { expect, test } from "vitest";
import { resolveVariables, variableNames, variableToken, variableValues } from "./variables.ts";

const at = (utc: string, change: Partial<Parameters<typeof variableValues>[0]> = {}) =>
  variableValues({
    contactName: "Camila Souza",
    protocol: "2026112112000017",
    now: new Date(utc),
    timeZone: "America/Sao_Paulo",
    language: "pt",
    ...change,
  });

test("each variable has its value, in the company's time zone (M-13)", () => {
  // 02:30 in UTC is the evening before in São Paulo.
  expect(at("2026-11-22T02:30:00Z")).toEqual({
    firstName: "Camila",
    name: "Camila Souza",
    greeting: "Boa noite",
    protocol: "2026112112000017",
    date: "21/11/2026",
    hour: "23:30",
  });
});

test.each([
  ["04:59", "Boa noite"],
  ["05:00", "Bom dia"],
  ["11:59", "Bom dia"],
  ["12:00", "Boa tarde"],
  ["17:59", "Boa tarde"],
  ["18:00", "Boa noite"],
])("at %s one says %s (M-13)", (hour, greeting) => {
  expect(at(`2026-11-21T${hour}:00Z`, { timeZone: "UTC" }).greeting).toBe(greeting);
});

test("greetings speak the language of the text (M-13)", () => {
  const now = "2026-11-21T15:00:00Z";
  expect(at(now, { language: "en" }).greeting).toBe("Good afternoon");
  expect(at(now, { language: "es" }).greeting).toBe("Buenas tardes");
});

test("variables are put in wherever they stand; what is none stays as written (M-13)", () => {
  const values = at("2026-11-21T15:00:00Z");
  expect(resolveVariables("{{greeting}}, {{ firstName }}! {{firstName}}: {{code}} {name}", values)).toBe(
    "Boa tarde, Camila! Camila: {{code}} {name}",
  );
  const all = variableNames.map(variableToken).join("|");
  expect(resolveVariables(all, values)).toBe(variableNames.map((name) => values[name]).join("|"));
});

test("a name that looks like a variable is not looked at again (M-13)", () => {
  const values = at("2026-11-21T15:00:00Z", { contactName: "{{protocol}}" });
  expect(resolveVariables("Oi, {{name}}", values)).toBe("Oi, {{protocol}}");
});

test("nobody is greeted by a number (M-13)", () => {
  expect(at("2026-11-21T15:00:00Z", { contactName: "+55 85 98877-1020" })).toMatchObject({ firstName: "", name: "" });
});

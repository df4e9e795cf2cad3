import { expect, test } from "vitest";
import { ApiError } from "#web/lib/api/apiError.ts";
import { matchCommands } from "#web/app/shell/palette/matchCommands.ts";
import { builtPaths } from "#web/app/routing/screens.ts";
import { loginErrorText } from "./screens/loginError.ts";
import { isDueSoon } from "#web/app/routing/sessionEvents.ts";
import { entryOf } from "#web/app/shell/update.ts";

test.each([
  [-1, false],
  [0, true],
  [4, true],
  [5, false],
])("a subscription that ends in %i days is warned about: %s (A-04)", (days, isWarned) => {
  expect(isDueSoon(days)).toBe(isWarned);
});

test.each<[string, ApiError | Error, string]>([
  ["wrong credentials", new ApiError("ERR_INVALID_CREDENTIALS", 401), "Email ou senha incorretos"],
  [
    "an expired subscription",
    new ApiError("ERR_SUBSCRIPTION_EXPIRED", 403, { dueDate: "2026-11-20" }),
    "Opss! Sua assinatura venceu 20/11/2026. Entre em contato com o Suporte para mais informações!",
  ],
  ["the server's own words", new ApiError("ERR_INTERNAL", 500, {}, "Manutenção até as 10h"), "Manutenção até as 10h"],
  ["a failure without words", new ApiError("ERR_INTERNAL", 500), "Erro ao fazer login"],
  ["something that is not an answer", new Error("boom"), "Erro ao fazer login"],
])("sign-in tells %s (A-02, A-03)", (_, error, words) => {
  expect(loginErrorText(error, "pt")).toBe(words);
});

test("a sign-in that is refused too often, or finds no server, says what to do", () => {
  expect(loginErrorText(new ApiError("ERR_TOO_MANY_REQUESTS", 429), "pt")).toContain("Aguarde");
  expect(loginErrorText(new ApiError("network", 0), "pt")).toContain("internet");
});

test("the palette finds by the beginnings of words, whatever the accents, best first", () => {
  const items = ["Configurações", "Filas e chatbot", "Conexões", "Chat interno"].map((label) => ({
    key: label,
    label,
  }));

  expect(matchCommands(items, "conexoes").map(({ label }) => label)).toEqual(["Conexões"]);
  expect(matchCommands(items, "chat").map(({ label }) => label)).toEqual(["Chat interno", "Filas e chatbot"]);
  expect(matchCommands(items, "fil chat").map(({ label }) => label)).toEqual(["Filas e chatbot"]);
  expect(matchCommands(items, "zzz")).toEqual([]);
  expect(matchCommands(items, "")).toHaveLength(4);
});

test("a route's parameters are no part of the menu's path", () => {
  const component = () => null;
  const screens = [
    { path: "/", component },
    { path: "/tickets/:ticketUuid?", component },
  ];

  expect([...builtPaths(screens)]).toEqual(["/", "/tickets"]);
});

test("the entry script tells one build from another", () => {
  expect(entryOf('<script type="module" crossorigin src="/assets/index-abc.js"></script>')).toBe(
    "/assets/index-abc.js",
  );
  expect(entryOf('<script type="module" src="/src/main.tsx"></script>')).toBeUndefined();
});

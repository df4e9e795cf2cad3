import { expect, test } from "vitest";
import { fullMenu } from "../menu.ts";
import { settingsTabLabels } from "#web/app/screens/settingsTabs.ts";
import { foldForSearch } from "#web/lib/text/foldForSearch.ts";
import { matchCommands } from "./matchCommands.ts";
import { paletteWords } from "./paletteWords.ts";

const items = [
  { key: "contacts", label: "Contatos", aka: paletteWords.pt.contacts },
  { key: "queues", label: "Filas e chatbot", aka: paletteWords.pt.queues },
  { key: "lists", label: "Listas de contatos" },
  { key: "audit", label: "Configurações: Auditoria", aka: paletteWords.pt.audit },
  { key: "privacy", label: "Configurações: Privacidade", aka: paletteWords.pt.privacy },
];
const found = (text: string) => matchCommands(items, text).map(({ key }) => key);

test("the palette finds a screen by what people call it, after those that bear the name (Z-03)", () => {
  expect(found("desligar o robo")).toEqual(["queues"]);
  expect(found("desligar robô")).toEqual(["queues"]);
  expect(found("quem excluiu")).toEqual(["audit"]);
  expect(found("exportar")).toEqual(["contacts", "privacy"]);
  expect(found("outro sistema")).toEqual(["contacts"]);
  expect(found("contatos")).toEqual(["contacts", "lists"]);
  expect(found("audit")).toEqual(["audit"]);
  // the words beside a name count from their beginning, or "tema" would be a "sistema"
  expect(found("tema")).toEqual([]);
});

test("each of its words is of a screen or a tab, and no other word repeats a name (Z-03)", () => {
  const keys = [
    ...fullMenu.flatMap(({ entries }) => entries.map(({ key }) => key as string)),
    ...Object.keys(settingsTabLabels),
  ];
  expect(Object.keys(paletteWords.pt).filter((key) => !keys.includes(key))).toEqual([]);
  for (const words of [paletteWords.pt, paletteWords.en, paletteWords.es].flatMap((language) =>
    Object.values(language),
  )) {
    const each = foldForSearch(String(words)).split(" ");
    expect(new Set(each).size).toBe(each.length);
  }
});

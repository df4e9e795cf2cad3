/** Every text is in its own language: a missing one is a type error, one copied from the next line is not. */
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { languages, type Language, type Message, type Messages } from "@prosa/contract/i18n";
import { expect, test } from "vitest";
import { firstStepsMessages } from "#web/features/first-steps/index.ts";
import { ticketMessages } from "#web/features/tickets/index.ts";

const root = join(import.meta.dirname, "../../..");

/** Words that English shares with Portuguese or Spanish: terms of the trade and names. */
const shared: Readonly<Record<"pt" | "es", ReadonlySet<string>>> = {
  pt: new Set([
    ...["Email", "E-mail", "Supervisor", "Ticket", "Kanban", "Agenda", "Online", "Offline", "Total", "WhatsApp"],
    ...["Chats", "Token", "Webhook", "Webhooks", "{count} min", "{minutes} min"],
    ...["supervisor", "{tokens} tokens · {seconds} s"],
  ]),
  es: new Set([
    ...["Supervisor", "Bot", "Video", "Audio", "Sticker", "Ticket", "Kanban", "Agenda", "Personal", "Total"],
    ...[
      "WhatsApp",
      "General",
      "Plan",
      "Chats",
      "Token",
      "Variables",
      "Webhook",
      "Webhooks",
      "{count} min",
      "{minutes} min",
      "plan",
      "supervisor",
      "{tokens} tokens · {seconds} s",
    ],
  ]),
};

test("no text is the English one under another language, nor Portuguese under Spanish (S-08)", async () => {
  const faults: string[] = [];
  let count = 0;
  for (const [name, messages] of await allMessages()) {
    for (const key of Object.keys(messages.pt)) {
      count += 1;
      const [pt, en, es] = languages.map((language) => wordsOf(messages[language][key]!));
      const hasWords = /\p{L}{3}/u.test(en!.replaceAll(/\{.*?\}/gu, ""));
      faults.push(
        ...(hasWords && pt === en && !shared.pt.has(pt!) ? [`${name} ${key}: pt is en, "${pt}"`] : []),
        ...(hasWords && es === en && !shared.es.has(es!) ? [`${name} ${key}: es is en, "${es}"`] : []),
        // Letters that Spanish does not have.
        ...(/[ãõçâêôà]/iu.test(es!) ? [`${name} ${key}: es is pt, "${es}"`] : []),
      );
    }
  }
  expect(count).toBeGreaterThan(1_000);
  expect(faults).toEqual([]);
});

/**
 * Words beside the one that a noun has in this language; English "Status" is "Estado" elsewhere. A sentence may say that
 * queues are the company's "setores". */
const others: Readonly<Record<Language, RegExp>> = {
  pt: /(?<!\p{L})(emails?|setor|departamento|situação|status|tickets?)(?!\p{L})/iu,
  en: /(?<!\p{L})(e-mails?|department|tickets?)(?!\p{L})|^State$/iu,
  es: /(?<!\p{L})(e-?mails?|sector|departamento|situación|status|tickets?)(?!\p{L})/iu,
};
/** Exact texts of the specification, which has its own words. */
const specified: ReadonlySet<string> = new Set([
  ...["Email ou senha incorretos", "Email não encontrado", "Email enviado com sucesso!"],
  ...["Ticket", "Erro ao buscar informações dos tickets", "Nenhum ticket encontrado"],
  ...["Ticket Tag Adicionado com Sucesso!", "Ticket Tag Removido!"],
]);
/** Part of an address, no status. */
const regions: ReadonlySet<string> = new Set(["addressState"]);

test("a noun has one word in each language: E-mail, Estado, Fila, conversa (S-08)", async () => {
  const faults: string[] = [];
  for (const [name, messages] of await allMessages()) {
    for (const language of languages) {
      for (const [key, message] of Object.entries(messages[language])) {
        const said = wordsOf(message);
        const other = others[language].exec(said.replaceAll(/\{.*?\}/gu, ""))?.[0];
        const isExempt = regions.has(key) || (language === "pt" && specified.has(said));
        faults.push(
          ...(other !== undefined && !isExempt ? [`${name} ${key}: ${language} has "${other}", "${said}"`] : []),
        );
      }
    }
  }
  expect(faults).toEqual([]);
});

test.each(languages)("%s: a first step that names a list names it as its tab does (Z-05, S-08)", (language) => {
  expect(firstStepsMessages[language].messageTo).toContain(ticketMessages[language].subPending);
});

type AnyMessages = Messages<Record<string, Message>>;

async function allMessages(): Promise<[name: string, messages: AnyMessages][]> {
  const found: [string, AnyMessages][] = [];
  for await (const path of glob("{web,contract,server}/src/**/*.i18n.ts", { cwd: root })) {
    const exported = (await import(pathToFileURL(join(root, path)).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      if (isMessages(value)) {
        found.push([`${path} ${name}`, value]);
      }
    }
  }
  return found;
}

function isMessages(value: unknown): value is AnyMessages {
  return typeof value === "object" && value !== null && languages.every((language) => language in value);
}

function wordsOf(message: Message): string {
  return typeof message === "string" ? message : JSON.stringify(message);
}

import type { Ctx } from "#server/platform/ctx.ts";
import type { DataSubject } from "#server/platform/personal-data.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import type { ZipFile } from "#server/platform/zip/index.ts";
import { findGroupMessagesAfter, findMessagesAfter, findPersonalFacts } from "./export.queries.ts";
import type { ExportedMessage } from "./export.queries.ts";

const messagesAtOnce = 500;

export interface ExportSource {
  readonly read: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>;
  readonly storage: Storage;
  readonly subject: DataSubject;
  readonly signal: AbortSignal;
}

/** What the archive holds: `dados.json`, `pagina.html` to read, and the files of the messages under `arquivos/`. */
export async function* exportFiles(source: ExportSource): AsyncGenerator<ZipFile> {
  const facts = await source.read((ctx) => findPersonalFacts(ctx, source.subject));
  yield { name: "dados.json", content: jsonOf(facts, source) };
  yield { name: "pagina.html", content: pageOf(facts, source) };
  for await (const message of everyMessage(source)) {
    const { storageKey } = message;
    const stored = storageKey === null ? undefined : await source.storage.stat(storageKey);
    if (storageKey !== null && stored) {
      yield { name: pathOf(message), content: await source.storage.get(storageKey) };
    }
  }
}

type Pages = typeof findMessagesAfter;

async function* everyMessage(source: ExportSource): AsyncGenerator<ExportedMessage> {
  yield* messagesOf(source, findMessagesAfter);
  yield* messagesOf(source, findGroupMessagesAfter);
}

async function* messagesOf({ read, subject, signal }: ExportSource, pages: Pages): AsyncGenerator<ExportedMessage> {
  let after = 0;
  for (;;) {
    signal.throwIfAborted();
    const from = after;
    const page = await read((ctx) => pages(ctx, subject, from, messagesAtOnce));
    const last = page.at(-1);
    if (!last) {
      return;
    }
    yield* page;
    after = last.id;
  }
}

async function* jsonOf(facts: Readonly<Record<string, unknown>>, source: ExportSource): AsyncGenerator<string> {
  yield JSON.stringify(facts, null, 2).replace(/\n\}$/, "");
  yield* jsonListOf("messages", messagesOf(source, findMessagesAfter));
  yield* jsonListOf("groupMessages", messagesOf(source, findGroupMessagesAfter));
  yield "\n}\n";
}

async function* jsonListOf(name: string, messages: AsyncIterable<ExportedMessage>): AsyncGenerator<string> {
  yield `,\n  "${name}": [`;
  let separator = "\n";
  for await (const message of messages) {
    const { storageKey, ...shown } = message;
    yield `${separator}    ${JSON.stringify({ ...shown, file: storageKey === null ? null : pathOf(message) })}`;
    separator = ",\n";
  }
  yield "\n  ]";
}

async function* pageOf(facts: Readonly<Record<string, unknown>>, source: ExportSource): AsyncGenerator<string> {
  yield `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Dados pessoais</title><style>
body{font:15px/1.5 system-ui,sans-serif;max-width:760px;margin:24px auto;padding:0 16px;color:#1b1b1f}
h2{margin-top:32px}table{border-collapse:collapse;width:100%}td,th{border:1px solid #d6d6dc;padding:6px 8px;text-align:left;
vertical-align:top;overflow-wrap:anywhere}p.m{margin:6px 0;padding:8px 12px;border-radius:8px;background:#f1f1f4;
white-space:pre-wrap;overflow-wrap:anywhere}p.out{background:#dff5e1;margin-left:15%}small{color:#5c5c66}</style>
<h1>Dados pessoais</h1>`;
  for (const [name, value] of Object.entries(facts)) {
    const rows = Array.isArray(value) ? (value as unknown[]) : [value];
    if (rows.length > 0) {
      yield `<h2>${escapeHtml(headings[name] ?? name)}</h2>${rows.map(tableOf).join("")}`;
    }
  }
  yield "<h2>Mensagens</h2>";
  for await (const message of messagesOf(source, findMessagesAfter)) {
    yield paragraphOf(message);
  }
  let title = "<h2>Mensagens em grupos</h2>";
  for await (const message of messagesOf(source, findGroupMessagesAfter)) {
    yield title + paragraphOf(message);
    title = "";
  }
  yield "</html>\n";
}

function paragraphOf(message: ExportedMessage): string {
  const file =
    message.storageKey === null
      ? ""
      : `<br><a href="${escapeHtml(encodeURI(pathOf(message)))}">${escapeHtml(message.fileName ?? pathOf(message))}</a>`;
  const text = message.isDeleted
    ? "(apagada)"
    : [message.body, message.transcript ?? ""].filter((part) => part !== "").join("\n");
  const head = [message.sentAt, message.group ?? ""].filter((part) => part !== "").join(" · ");
  return `<p class="m${message.fromMe ? " out" : ""}"><small>${escapeHtml(head)}</small><br>${escapeHtml(text)}${file}</p>\n`;
}

const headings: Readonly<Record<string, string>> = {
  contact: "Contato",
  identifiers: "Identificadores no WhatsApp",
  conversations: "Conversas",
  services: "Atendimentos",
  notes: "Notas",
  schedules: "Agendamentos",
  contactLists: "Listas de contatos",
  campaigns: "Campanhas",
  reactions: "Reações",
  optOuts: "Pedidos para não receber",
};

function tableOf(row: unknown): string {
  const cells = Object.entries(typeof row === "object" && row !== null ? row : { valor: row });
  const text = (value: unknown) => (typeof value === "object" ? JSON.stringify(value ?? "–") : String(value));
  return `<table>${cells
    .map(([name, value]) => `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(text(value))}</td></tr>`)
    .join("")}</table><br>`;
}

/** The path of a message's file in the archive: unique, and harmless on every system. */
function pathOf({ id, fileName, mimeType }: ExportedMessage): string {
  const fallback = `arquivo.${mimeType?.split("/")[1]?.replaceAll(/\W.*/g, "") ?? "bin"}`;
  const name = (fileName ?? fallback).replaceAll(/[^\w.() -]/gu, "_").replace(/^\.+/, "_");
  return `arquivos/${id}-${name.slice(-100)}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

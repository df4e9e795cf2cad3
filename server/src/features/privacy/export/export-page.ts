/** The page of an export (V-02): what a person without software of their own reads, in the company's language and time zone. */
import { localeOf } from "@prosa/contract/i18n";
import { recipientStateName } from "#server/features/campaigns/index.ts";
import type { CompanyLocale } from "#server/platform/auth/index.ts";
import { exportPageWords } from "./export-page.i18n.ts";
import type { Column, ExportPageWords } from "./export-page.i18n.ts";
import type { ExportedMessage } from "./export.queries.ts";

export interface PageSource {
  readonly locale: CompanyLocale;
  /** Of `findPersonalFacts`. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly messages: () => AsyncIterable<ExportedMessage>;
  readonly groupMessages: () => AsyncIterable<ExportedMessage>;
  /** The path in the archive of a message's file. */
  readonly pathOf: (message: ExportedMessage) => string;
}

/** The page in pieces: messages are written as they are read. */
export async function* personalDataPage(source: PageSource): AsyncGenerator<string> {
  const { locale, facts } = source;
  const words = exportPageWords[locale.language];
  const shown = valueWriter(locale, words);
  yield `<!doctype html><html lang="${localeOf[locale.language]}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${words.title}</title><style>
body{font:15px/1.5 system-ui,sans-serif;max-width:760px;margin:24px auto;padding:0 16px;color:#1b1b1f}
h2{margin-top:32px}div.t{overflow-x:auto}table{border-collapse:collapse;width:100%}td,th{border:1px solid #d6d6dc;padding:6px 8px;
text-align:left;vertical-align:top;overflow-wrap:break-word}th{white-space:nowrap}td{white-space:pre-line}p.m{margin:6px 0;padding:8px 12px;border-radius:8px;
background:#f1f1f4;white-space:pre-wrap;overflow-wrap:anywhere}p.out{background:#dff5e1;margin-left:15%}small{color:#5c5c66}</style>
<h1>${words.title}</h1>`;
  for (const [part, title] of Object.entries(words.parts)) {
    const value = facts[part];
    const rows = (Array.isArray(value) ? value : [value ?? []].flat()) as Readonly<Record<string, unknown>>[];
    if (rows.length > 0) {
      yield `<h2>${title}</h2><div class="t">${tableOf(rows, words, shown)}</div>`;
    }
  }
  // Of a group many people write, and none of them has its name.
  const isGroup = (facts["identifiers"] as readonly { readonly kind: string }[] | undefined)?.some(
    (one) => one.kind === "group",
  );
  const contactName = isGroup ? "" : ((facts["contact"] as { readonly name?: string } | null | undefined)?.name ?? "");
  const paragraph = (message: ExportedMessage) => {
    const head = [message.fromMe ? words.company : contactName, shown("sentAt", message.sentAt), message.group ?? ""];
    return paragraphOf(message, head, source.pathOf, words);
  };
  yield `<h2>${words.messages}</h2>`;
  for await (const message of source.messages()) {
    yield paragraph(message);
  }
  let title = `<h2>${words.groupMessages}</h2>`;
  for await (const message of source.groupMessages()) {
    yield title + paragraph(message);
    title = "";
  }
  yield "</html>\n";
}

type ValueWriter = (column: string, value: unknown) => string;

/** What a cell says. Pure but for the time zone's rules. */
function valueWriter({ language, timeZone }: CompanyLocale, words: ExportPageWords): ValueWriter {
  const dates = new Intl.DateTimeFormat(localeOf[language], { timeZone, dateStyle: "short", timeStyle: "medium" });
  const named: Readonly<Partial<Record<Column, (value: string) => string | undefined>>> = {
    kind: (value) => (words.kinds as Readonly<Record<string, string>>)[value],
    status: (value) => (words.statuses as Readonly<Record<string, string>>)[value],
    source: (value) => (words.sources as Readonly<Record<string, string>>)[value],
    state: (value) => recipientStateName(value, language),
  };
  return (column, value) => {
    if (value === null || value === undefined || value === "") {
      return "–";
    }
    if (typeof value === "boolean") {
      return value ? words.yes : words.no;
    }
    if (Array.isArray(value)) {
      const pairs = value as readonly { readonly name: string; readonly value: string }[];
      return pairs.length === 0 ? "–" : pairs.map((pair) => `${pair.name}: ${pair.value}`).join("\n");
    }
    const text = String(value);
    const isTime = column === "at" || column.endsWith("At");
    return isTime ? dates.format(new Date(text)) : (named[column as Column]?.(text) ?? text);
  };
}

/** One thing stands under itself, several beside their headings. */
function tableOf(
  rows: readonly Readonly<Record<string, unknown>>[],
  words: ExportPageWords,
  shown: ValueWriter,
): string {
  const columns = Object.keys(rows[0]!).filter((column): column is Column => Object.hasOwn(words.columns, column));
  const cell = (row: Readonly<Record<string, unknown>>, column: Column) =>
    `<td>${escapeHtml(shown(column, row[column]))}</td>`;
  const heading = (column: Column) => `<th>${words.columns[column]}</th>`;
  const lines =
    rows.length === 1
      ? columns.map((column) => heading(column) + cell(rows[0]!, column))
      : [columns.map(heading).join(""), ...rows.map((row) => columns.map((column) => cell(row, column)).join(""))];
  return `<table>${lines.map((line) => `<tr>${line}</tr>`).join("")}</table>`;
}

function paragraphOf(
  message: ExportedMessage,
  head: readonly string[],
  pathOf: PageSource["pathOf"],
  words: ExportPageWords,
): string {
  const path = message.storageKey === null ? undefined : pathOf(message);
  const file =
    path === undefined
      ? ""
      : `<br><a href="${escapeHtml(encodeURI(path))}">${escapeHtml(message.fileName ?? path)}</a>`;
  const text = message.isDeleted
    ? words.deleted
    : [message.body, message.transcript ?? ""].filter((part) => part !== "").join("\n");
  const who = escapeHtml(head.filter((part) => part !== "").join(" · "));
  return `<p class="m${message.fromMe ? " out" : ""}"><small>${who}</small><br>${escapeHtml(text)}${file}</p>\n`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

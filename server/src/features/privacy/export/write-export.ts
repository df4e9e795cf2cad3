import type { Ctx } from "#server/platform/ctx.ts";
import type { CompanyLocale } from "#server/platform/auth/index.ts";
import type { DataSubject } from "#server/platform/personal-data.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import type { ZipFile } from "#server/platform/zip/index.ts";
import { findGroupMessagesAfter, findMessagesAfter, findPersonalFacts } from "./export.queries.ts";
import type { ExportedMessage } from "./export.queries.ts";
import { exportPageWords } from "./export-page.i18n.ts";
import type { ExportPageWords } from "./export-page.i18n.ts";
import { personalDataPage } from "./export-page.ts";

const messagesAtOnce = 500;

export interface ExportSource {
  readonly read: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>;
  readonly storage: Storage;
  readonly subject: DataSubject;
  /** Of the company that hands the archive over. */
  readonly locale: CompanyLocale;
  readonly signal: AbortSignal;
}

/** What the archive holds: `dados.json`, `pagina.html` to read, and the files of the messages under `arquivos/`, named in the company's language. */
export async function* exportFiles(source: ExportSource): AsyncGenerator<ZipFile> {
  const { files } = exportPageWords[source.locale.language];
  const facts = await source.read((ctx) => findPersonalFacts(ctx, source.subject));
  yield { name: files.data, content: jsonOf(facts, source) };
  const page = personalDataPage({
    locale: source.locale,
    facts,
    messages: () => messagesOf(source, findMessagesAfter),
    groupMessages: () => messagesOf(source, findGroupMessagesAfter),
    pathOf: (message) => pathOf(message, files),
  });
  yield { name: files.page, content: page };
  for await (const message of everyMessage(source)) {
    const { storageKey } = message;
    const stored = storageKey === null ? undefined : await source.storage.stat(storageKey);
    if (storageKey !== null && stored) {
      yield { name: pathOf(message, files), content: await source.storage.get(storageKey) };
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
  const { files } = exportPageWords[source.locale.language];
  yield* jsonListOf("messages", messagesOf(source, findMessagesAfter), files);
  yield* jsonListOf("groupMessages", messagesOf(source, findGroupMessagesAfter), files);
  yield "\n}\n";
}

async function* jsonListOf(
  name: string,
  messages: AsyncIterable<ExportedMessage>,
  files: ExportPageWords["files"],
): AsyncGenerator<string> {
  yield `,\n  "${name}": [`;
  let separator = "\n";
  for await (const message of messages) {
    const { storageKey, ...shown } = message;
    yield `${separator}    ${JSON.stringify({ ...shown, file: storageKey === null ? null : pathOf(message, files) })}`;
    separator = ",\n";
  }
  yield "\n  ]";
}

/** The path of a message's file in the archive: unique, and harmless on every system. */
function pathOf({ id, fileName, mimeType }: ExportedMessage, { folder, file }: ExportPageWords["files"]): string {
  const fallback = `${file}.${mimeType?.split("/")[1]?.replaceAll(/\W.*/g, "") ?? "bin"}`;
  const name = (fileName ?? fallback).replaceAll(/[^\w.() -]/gu, "_").replace(/^\.+/, "_");
  return `${folder}/${id}-${name.slice(-100)}`;
}

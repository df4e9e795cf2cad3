import { instantOf } from "@prosa/contract";
import { companyLocaleOf } from "#server/features/companies/index.ts";
import { fillMissingMedia } from "#server/features/messages/index.ts";
import type { FoundFile } from "#server/features/messages/index.ts";
import { findOrCreateTickets, refreshMovedTicket } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { forgetMovedRows, moveTxIn } from "#server/platform/db/index.ts";
import type { MoveTx } from "#server/platform/db/index.ts";
import { shortFileName } from "#server/platform/storage/index.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import {
  findChatImport,
  findConnectionForHistory,
  findImportedFiles,
  findLatestTicket,
  findMarked,
  findSaidHere,
  findSourcesOf,
  findTicketOfRun,
  lockChatContact,
  lockChatImport,
  saveChatImport,
} from "./chat-imports.queries.ts";
import type { ChatContact, ChatImportRow } from "./chat-imports.queries.ts";
import type { KnownLine } from "./chat-marks.ts";
import { isVoice, kindOf, pairWithImported, phoneOf, withoutSaidHere } from "./match-lines.ts";
import type { TimedLine } from "./match-lines.ts";

/** A file of the archive, in the storage. */
export interface StoredFile {
  readonly key: string;
  readonly type: string;
  readonly size: number;
}

type StoredFiles = ReadonlyMap<string, StoredFile>;

/** Takes some lines of a chat in. False where the import is over, or another run of the job did this batch. */
export async function importBatch(
  ctx: Ctx,
  { id }: ChatImportRow,
  batch: readonly KnownLine[],
  files: StoredFiles,
  from: number,
): Promise<boolean> {
  const { row, contact } = await lockWithContact(ctx, id);
  if (!row || !contact || row.done !== from) {
    return false;
  }
  const tx = moveTxIn(ctx, { sourceId: row.source_id, runId: row.run_id });
  const { known, paired, fresh } = await sort(ctx, row, batch, files);
  const made = fresh.length === 0 ? [] : await insertMessages(ctx, tx, { row, contact, fresh, files });
  // After the ticket, as everywhere: messages are locked last.
  await fillMissingMedia(ctx, foundFiles(batch, new Map([...known, ...paired]), files));
  await tx.saveMoved(
    "messages",
    [...paired].map(([mark, messageId]) => ({ oldId: mark, newId: messageId, isMade: false })),
  );
  const withFile = made.filter(hasFile);
  await saveChatImport(ctx, id, {
    state: "running",
    done: from + batch.length,
    created: row.created + made.length,
    known: row.known + batch.length - made.length,
    without_file: row.without_file + withFile.filter(({ mark }) => !files.has(mark)).length,
  });
  return true;
}

/** The contact first, as a merge of contacts does, which gives the import to the one that stays. */
async function lockWithContact(ctx: Ctx, id: number) {
  for (;;) {
    const seen = await findChatImport(ctx, id);
    const contact = seen && (await lockChatContact(ctx, seen.contact_id));
    const row = contact && (await lockChatImport(ctx, id));
    if (!seen || (contact && row?.contact_id === contact.id)) {
      return { row, contact };
    }
    if (contact && !row) {
      return { row: undefined, contact: undefined };
    }
  }
}

interface Sorted {
  /** Messages of lines that have come before, by the lines' marks. */
  readonly known: ReadonlyMap<string, number>;
  /** Of lines that another export told with or without its file. */
  readonly paired: ReadonlyMap<string, number>;
  readonly fresh: readonly TimedLine[];
}

async function sort(ctx: Ctx, row: ChatImportRow, batch: readonly KnownLine[], files: StoredFiles): Promise<Sorted> {
  const known = await findKnown(ctx, row, batch);
  const { timeZone } = await companyLocaleOf(ctx);
  const timed = batch.flatMap((line) => {
    const at = known.has(line.mark) ? undefined : instantOf(line.at, timeZone);
    return at ? [{ line, at }] : [];
  });
  const times = timed.map(({ at }) => at.getTime());
  if (times.length === 0) {
    return { known, paired: new Map(), fresh: [] };
  }
  const span = [new Date(Math.min(...times) - 60_000), new Date(Math.max(...times) + 120_000)] as const;
  const unsaid = withoutSaidHere(timed, row.me, await findSaidHere(ctx, row.contact_id, ...span));
  const ids = new Set(known.values());
  const imported = unsaid.some(({ line }) => hasFile(line))
    ? await findImportedFiles(ctx, { contactId: row.contact_id, runId: row.run_id }, ...span)
    : [];
  const others = imported.filter((each) => !ids.has(each.id));
  const paired = pairWithImported(unsaid, row.me, others, (line) => kindOf(line, files.get(line.mark)?.type));
  return { known, paired, fresh: unsaid.filter(({ line }) => !paired.has(line.mark)) };
}

/** What was deleted since is forgotten: it comes again, as after a wrong choice of who the company is. */
async function findKnown(
  ctx: Ctx,
  row: ChatImportRow,
  batch: readonly KnownLine[],
): Promise<ReadonlyMap<string, number>> {
  const sources = await findSourcesOf(ctx, row.contact_id);
  const marked = await findMarked(
    ctx,
    sources,
    batch.map(({ mark }) => mark),
  );
  const known = new Map(marked.flatMap(({ mark, messageId }) => (messageId === null ? [] : [[mark, messageId]])));
  const gone = marked.map(({ mark }) => mark).filter((mark) => !known.has(mark));
  if (gone.length > 0) {
    await forgetMovedRows(ctx, sources, "messages", gone);
  }
  return known;
}

function hasFile({ file, omitted }: KnownLine): boolean {
  return file !== null || omitted !== null;
}

function foundFiles(
  batch: readonly KnownLine[],
  messages: ReadonlyMap<string, number>,
  files: StoredFiles,
): readonly FoundFile[] {
  return batch.flatMap((line) => {
    const [messageId, stored] = [messages.get(line.mark), files.get(line.mark)];
    if (messageId === undefined || !stored || line.file === null) {
      return [];
    }
    const { key: storageKey, type: mimeType, size } = stored;
    const fileName = shortFileName(line.file);
    return {
      messageId,
      storageKey,
      fileName,
      mimeType,
      size,
      isVoice: isVoice(line),
      mediaType: kindOf(line, mimeType),
    };
  });
}

interface FreshLines {
  readonly row: ChatImportRow;
  readonly contact: ChatContact;
  readonly fresh: readonly TimedLine[];
  readonly files: StoredFiles;
}

/** Returns the lines that have become messages. */
async function insertMessages(
  ctx: Ctx,
  tx: MoveTx,
  { row, contact, fresh, files }: FreshLines,
): Promise<readonly KnownLine[]> {
  const ticket = await conversationOf(ctx, row, contact);
  const ids = await tx.reserveIds("messages", fresh.length);
  const rows = fresh.map(({ line, at }, index) => {
    const fromMe = line.author === row.me;
    return {
      id: ids[index],
      company_id: ctx.companyId,
      ticket_id: ticket.id,
      contact_id: contact.id,
      connection_id: ticket.connectionId,
      wa_id: `chat-${line.mark}`,
      from_me: fromMe,
      ack: fromMe ? 4 : 0,
      is_read: true,
      media_type: kindOf(line, files.get(line.mark)?.type),
      body: truncateText(line.body, 65_536),
      data: { imported: true },
      participant: contact.isGroup && !fromMe ? participantOf(line.author) : null,
      is_deleted: line.isDeleted,
      is_edited: line.isEdited,
      sent_at: at.toISOString(),
    };
  });
  const inserted = await tx.insert("messages", rows);
  const made = fresh.map(({ line }, index) => ({ line, id: ids[index] ?? 0 })).filter((each) => inserted.has(each.id));
  await tx.saveMoved(
    "messages",
    made.map((each) => ({ oldId: each.line.mark, newId: each.id, isMade: true })),
  );
  const withFile = made.filter(({ line }) => hasFile(line));
  await tx.insert(
    "media",
    withFile.map(({ line, id }) => {
      const file = files.get(line.mark);
      return {
        message_id: id,
        company_id: ctx.companyId,
        state: file ? "ready" : "expired",
        storage_key: file?.key ?? null,
        file_name: line.file === null ? null : shortFileName(line.file),
        mime_type: file?.type ?? null,
        size: file?.size ?? null,
        is_voice: isVoice(line),
      };
    }),
    { key: ["message_id"] },
  );
  await refreshMovedTicket(ctx, ticket.id);
  return made.map(({ line }) => line);
}

/** As messages have their authors that came through a line: an erasure finds what the person wrote by the number. */
function participantOf(author: string) {
  const phone = phoneOf(author);
  return { number: phone ?? "", name: author, phone, lid: null };
}

/**
 * The one that the first batch went into, however the contact's others change meanwhile; at first the one that was spoken in last, else a
 * closed one on the default connection.
 */
async function conversationOf(
  ctx: Ctx,
  { run_id: runId }: ChatImportRow,
  { id: contactId, isGroup }: ChatContact,
): Promise<{ id: number; connectionId: number | null }> {
  const known = (await findTicketOfRun(ctx, { contactId, runId })) ?? (await findLatestTicket(ctx, contactId));
  if (known) {
    return known;
  }
  const connectionId = await findConnectionForHistory(ctx);
  if (connectionId === undefined) {
    throw new AppError("ERR_NO_DEF_WAPP_FOUND");
  }
  // As old as can be: the first message that is taken in says when it was spoken in last.
  const created = await findOrCreateTickets(ctx, connectionId, [{ contactId, isGroup, at: new Date(0) }], new Map());
  const ticket = created.get(contactId);
  if (!ticket) {
    throw new Error(`No conversation was made of contact ${contactId}`);
  }
  return { id: ticket.id, connectionId };
}

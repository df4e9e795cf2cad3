import type { MoveTx } from "#server/platform/db/index.ts";
import { findMessagesByWaId, storeTexts, storeTextsLater } from "../move-in.queries.ts";
import { moveRows } from "../move.ts";
import type { Taken } from "../move.ts";
import { intOf, isTrue, keyOf, phoneOf, textOf, timeOf } from "../values.ts";
import type { Chat, CompanyMove } from "./family-move.ts";
import type { CopiedFile, CopiedFiles } from "./family-media.ts";
import type { SourceRow } from "./family.queries.ts";
import { contentOf, withFile } from "./message-content.ts";

/** Rows of one transaction: about half a second, so that browsers of a running server hear of their own messages meanwhile. */
const BATCH = 2_500;

/** Messages in the order of their times, with their files. None is ever sent: what waited for WhatsApp counts as sent. */
export async function moveMessages(move: CompanyMove): Promise<void> {
  const { companyId, family, oldCompanyId, target, ids, media } = move;
  const columns = [
    "id",
    "wid",
    "participant",
    "ack",
    "read",
    "fromMe",
    "body",
    "mediaUrl",
    "mediaType",
    "isDeleted",
    "isEdited",
  ];
  const more = ["quotedMsgId", "ticketId", "contactId", "queueId", "userId", "createdAt"];
  let copied: CopiedFiles = new Map();
  let people: Awaited<ReturnType<typeof readParticipants>> = new Map();
  /** Of the batch under way: the files of its messages; null where one is missing. */
  const files = new Map<string, CopiedFile | null>();
  const texts = new Map<string, { readonly ticketId: number; readonly body: string }>();
  await moveRows(move, {
    entity: "messages",
    isLarge: true,
    source: family.read(
      {
        table: "Messages",
        columns: [...columns, ...more],
        through: [{ column: "ticketId", table: "Tickets" }],
        order: `t."createdAt", t.id`,
        batch: BATCH,
      },
      oldCompanyId,
    ),
    idOf,
    async prepare(rows) {
      people = await readParticipants(move, rows);
      const wanted = rows.filter((row) => textOf(row["mediaUrl"]) !== "" && !("skip" in placeOf(move, row)));
      const received = await target.inCompany(companyId, (tx) => findReceived(move, tx, wanted));
      const seen = new Set(received.keys());
      copied = await media.copy(
        move,
        "messages",
        wanted
          .filter((row) => {
            const key = placeKey(row, ids.of("tickets", row["ticketId"]));
            const isNew = !seen.has(key);
            seen.add(key);
            return isNew;
          })
          .map((row) => ({ identity: `message ${idOf(row)}`, path: row["mediaUrl"] })),
      );
    },
    async take(rows, tx, reserve) {
      files.clear();
      texts.clear();
      await storeTextsLater(tx);
      const received = await findReceived(move, tx, rows);
      const earlier = await tx.findMoved(
        "messages",
        rows.flatMap((row) => quotedIdOf(row) ?? []),
      );
      const reserved = await reserve();
      const own = new Map(rows.map((row, index) => [idOf(row), reserved[index] ?? 0]));
      return rows.map((row, index): Taken => {
        const place = placeOf(move, row);
        if ("skip" in place) {
          return place;
        }
        const { ticketId, chat, sentAt } = place;
        const same = received.get(placeKey(row, ticketId));
        if (same !== undefined) {
          return { into: same };
        }
        received.set(placeKey(row, ticketId), reserved[index] ?? 0);
        const file = copied.get(`message ${idOf(row)}`);
        const { mediaType, body, data, fileName } = contentOf(row, file?.type);
        if (withFile.has(mediaType)) {
          files.set(idOf(row), file ? { ...file, name: fileName || file.name } : null);
        }
        if (body !== "" && !isTrue(row["isDeleted"])) {
          texts.set(idOf(row), { ticketId, body });
        }
        const fromMe = isTrue(row["fromMe"]);
        const quotedId = quotedIdOf(row);
        return {
          row: {
            company_id: companyId,
            ticket_id: ticketId,
            contact_id: chat.contactId,
            connection_id: chat.connectionId,
            queue_id: ids.of("queues", row["queueId"]) ?? null,
            user_id: fromMe ? (ids.of("users", row["userId"]) ?? null) : null,
            wa_id: waIdOf(row),
            from_me: fromMe,
            // 0 of ours waits for its line and would be sent.
            ack: fromMe ? intOf(row["ack"], 1, 5) : 0,
            is_read: fromMe || isTrue(row["read"]) || chat.isClosed,
            media_type: mediaType,
            body,
            data,
            quoted_wa_id: row["quotedMsgId"] ? textOf(row["quotedMsgId"], 200) : null,
            quoted_id: quotedId === undefined ? null : (earlier.get(quotedId) ?? own.get(quotedId) ?? null),
            participant: chat.isGroup && !fromMe ? (people.get(String(row["contactId"])) ?? null) : null,
            is_deleted: isTrue(row["isDeleted"]),
            is_edited: isTrue(row["isEdited"]),
            sent_at: sentAt,
            created_at: sentAt,
          },
        };
      });
    },
    async after(tx, made) {
      const rows = [...files].flatMap(([oldId, file]) => {
        const id = made.get(oldId);
        return id === undefined
          ? []
          : [
              {
                message_id: id,
                company_id: companyId,
                // Expired: the row stays, and says that its file is not to be had any more.
                state: file ? "ready" : "expired",
                storage_key: file?.key ?? null,
                file_name: file?.name ?? null,
                mime_type: file?.type ?? null,
                size: file?.size ?? null,
                is_voice: file?.type.startsWith("audio/ogg") ?? false,
              },
            ];
      });
      await tx.insert("media", rows, { key: ["message_id"] });
      await storeTexts(
        tx,
        [...texts].flatMap(([oldId, text]) => ({ ...text, id: made.get(oldId) ?? 0 })).filter(({ id }) => id > 0),
      );
    },
  });
}

/** The id alone is not unique where versions keep WhatsApp's: the same one is in two conversations of two lines. */
function idOf(row: SourceRow): string {
  return `${keyOf(row)} ${String(row["ticketId"])}`;
}

/** The conversation that a message goes to, or why it is left out. */
function placeOf(
  { ids, chats }: CompanyMove,
  row: SourceRow,
): { ticketId: number; chat: Chat; sentAt: string } | { skip: string } {
  const ticketId = ids.of("tickets", row["ticketId"]);
  const chat = ticketId === undefined ? undefined : chats.get(ticketId);
  const sentAt = timeOf(row["createdAt"]);
  if (ticketId === undefined || !chat) {
    return { skip: "its conversation was not taken" };
  }
  if (sentAt === null) {
    return { skip: "it has no time, or one that cannot be" };
  }
  return ["reactionMessage", "protocolMessage"].includes(textOf(row["mediaType"]))
    ? { skip: "a reaction or a change, which is no message here" }
    : { ticketId, chat, sentAt };
}

function placeKey(row: SourceRow, ticketId: number | undefined): string {
  return `${waIdOf(row)} ${ticketId}`;
}

/** Those that are here already, because a line that was paired before the move has received them. */
async function findReceived(
  { companyId, ids }: CompanyMove,
  tx: MoveTx,
  rows: readonly SourceRow[],
): Promise<Map<string, number>> {
  const ticketIds = [...new Set(rows.flatMap((row) => ids.of("tickets", row["ticketId"]) ?? []))];
  const there = await findMessagesByWaId(tx, companyId, ticketIds, rows.map(waIdOf));
  return new Map(there.map(({ id, ticketId, waId }) => [`${waId} ${ticketId}`, id]));
}

function quotedIdOf(row: SourceRow): string | undefined {
  return row["quotedMsgId"] ? `${String(row["quotedMsgId"])} ${String(row["ticketId"])}` : undefined;
}

/** WhatsApp's id: most versions use it as the row's own, later ones keep it in a column. */
function waIdOf(row: SourceRow): string {
  return textOf(row["wid"], 200) || textOf(row["id"], 200);
}

/** Authors of messages in groups, by their contacts in the source. */
async function readParticipants({ family, chats, ids }: CompanyMove, rows: readonly SourceRow[]) {
  const inGroups = rows.filter(
    (row) => chats.get(ids.of("tickets", row["ticketId"]) ?? 0)?.isGroup && !isTrue(row["fromMe"]),
  );
  const contactIds = [...new Set(inGroups.flatMap((row) => row["contactId"] ?? []))];
  const found = await family.readOf("Contacts", ["id", "name", "number"], "id", contactIds);
  return new Map(
    found.map((row) => {
      const phone = phoneOf(row["number"]) ?? null;
      const lid = /^(\d+)@lid$/u.exec(textOf(row["number"]))?.[1] ?? null;
      return [keyOf(row), { number: phone ?? lid ?? "", name: textOf(row["name"], 200), phone, lid }];
    }),
  );
}

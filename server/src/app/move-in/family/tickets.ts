import { randomUUID } from "node:crypto";
import { findTicketsOfContacts } from "../move-in.queries.ts";
import { moveRows } from "../move.ts";
import type { Taken } from "../move.ts";
import { intOf, isTrue, keyOf, textOf, timeOf } from "../values.ts";
import { moveLinks } from "./directory.ts";
import type { CompanyMove } from "./family-move.ts";
import type { SourceRow } from "./family.queries.ts";

/** As many as anybody counts. */
const mostUnread = 9_999;

/** The one that is under way first, else the latest: it says how the conversation stands. */
export const standing = `case t.status when 'open' then 0 when 'pending' then 1 else 2 end, t."updatedAt" desc, t.id desc`;

/**
 * Conversations. The family makes a ticket for each time that a contact is served; here a contact has one on each line, and each time is
 * an episode of it.
 */
export async function moveTickets(move: CompanyMove): Promise<void> {
  const { companyId, family, oldCompanyId, ids, chats, groups } = move;
  const columns = [
    "id",
    "status",
    "unreadMessages",
    "lastMessage",
    "isGroup",
    "userId",
    "contactId",
    "whatsappId",
    "queueId",
  ];
  const episodeOf = new Map<string, number>();
  let served: Served = { trackings: new Map(), ratings: new Map() };
  await moveRows(move, {
    entity: "tickets",
    source: family.read(
      { table: "Tickets", columns: [...columns, "createdAt", "updatedAt"], order: standing },
      oldCompanyId,
    ),
    idOf: keyOf,
    // Before the transaction, as all reads of the source: it may be slow, and this one holds locks of a running product.
    async prepare(rows) {
      served = await readServed(move, rows);
    },
    async take(rows, tx, reserve) {
      const contactIds = rows.flatMap((row) => ids.of("contacts", row["contactId"]) ?? []);
      const known = await findTicketsOfContacts(tx, companyId, contactIds);
      const byChat = new Map<string, number>([
        ...[...chats].map(([id, chat]) => [`${chat.connectionId} ${chat.contactId}`, id] as const),
        ...known.map(({ id, contactId, connectionId }) => [`${connectionId} ${contactId}`, id] as const),
      ]);
      known.forEach(({ id, status, ...chat }) => chats.set(id, { ...chat, isClosed: status === "closed" }));
      const reserved = await reserve();
      const episodes = await tx.reserveIds("episodes", rows.length);
      return rows.map((row, index): Taken => {
        const contactId = ids.of("contacts", row["contactId"]);
        if (contactId === undefined) {
          return { skip: "its contact was not taken" };
        }
        episodeOf.set(keyOf(row), episodes[index] ?? 0);
        const connectionId = ids.of("connections", row["whatsappId"]) ?? null;
        const chat = `${connectionId} ${contactId}`;
        const same = byChat.get(chat);
        if (same !== undefined) {
          return { into: same };
        }
        byChat.set(chat, reserved[index] ?? 0);
        const { status, userId, unread } = stateOf(move, row);
        const isGroup = isTrue(row["isGroup"]) || groups.has(contactId);
        chats.set(reserved[index] ?? 0, { contactId, connectionId, isGroup, isClosed: status === "closed" });
        const at = timeOf(row["updatedAt"]) ?? new Date().toISOString();
        return {
          row: {
            company_id: companyId,
            uuid: randomUUID(),
            connection_id: connectionId,
            contact_id: contactId,
            status,
            user_id: userId,
            queue_id: ids.of("queues", row["queueId"]) ?? null,
            is_group: isGroup,
            last_message: textOf(row["lastMessage"], 500),
            last_message_at: at,
            unread_messages: unread,
            waiting_since: unread > 0 ? at : null,
            episode_id: episodes[index],
            created_at: timeOf(row["createdAt"]) ?? at,
            updated_at: at,
          },
        };
      });
    },
    async after(tx, made, rows) {
      await saveEpisodes(move, tx, { rows, made, episodeOf, ...served });
    },
  });
}

type Tx = Parameters<Parameters<CompanyMove["target"]["inCompany"]>[1]>[0];

/** How tickets were served, and what the contacts said of it, by ticket. */
interface Served {
  readonly trackings: ReadonlyMap<string, SourceRow>;
  readonly ratings: ReadonlyMap<string, SourceRow>;
}

async function readServed({ family }: CompanyMove, rows: readonly SourceRow[]): Promise<Served> {
  const oldIds = rows.map(({ id }) => id);
  const latest = (list: readonly SourceRow[]) => new Map(list.map((row) => [String(row["ticketId"]), row]));
  const times = ["queuedAt", "startedAt", "finishedAt", "ratingAt"];
  return {
    trackings: latest(await family.readOf("TicketTraking", ["id", "ticketId", ...times, "userId"], "ticketId", oldIds)),
    ratings: latest(await family.readOf("UserRatings", ["id", "ticketId", "rate", "createdAt"], "ticketId", oldIds)),
  };
}

interface Episodes extends Served {
  readonly rows: readonly SourceRow[];
  readonly made: ReadonlyMap<string, number>;
  readonly episodeOf: ReadonlyMap<string, number>;
}

/** One for each ticket of the source, with its times and its rating. */
async function saveEpisodes(
  move: CompanyMove,
  tx: Tx,
  { rows, made, episodeOf, trackings, ratings }: Episodes,
): Promise<void> {
  const { companyId, ids } = move;
  const ticketOf = await tx.findMoved("tickets", rows.map(keyOf));
  const found = rows.flatMap((row) => {
    const ticketId = made.get(keyOf(row)) ?? ticketOf.get(keyOf(row));
    const id = episodeOf.get(keyOf(row));
    if (ticketId === undefined || id === undefined) {
      return [];
    }
    const tracking = trackings.get(keyOf(row)) ?? {};
    const rating = ratings.get(keyOf(row));
    const { status, userId } = stateOf(move, row);
    const began = timeOf(tracking["queuedAt"]) ?? timeOf(row["createdAt"]) ?? new Date().toISOString();
    const ended = timeOf(tracking["finishedAt"]) ?? timeOf(row["updatedAt"]) ?? began;
    // Only the one that the conversation stands by may still be running.
    const isRunning = status !== "closed" && made.has(keyOf(row));
    const oldId = keyOf(row);
    return [
      {
        oldId,
        row: {
          id,
          company_id: companyId,
          ticket_id: ticketId,
          protocol: "",
          queued_at: began,
          started_at: timeOf(tracking["startedAt"]) ?? (userId === null ? null : began),
          finished_at: isRunning ? null : ended,
          user_id: userId ?? ids.of("users", tracking["userId"]) ?? null,
          queue_id: ids.of("queues", row["queueId"]) ?? null,
          rating: rating ? intOf(rating["rate"], 1, 3) : null,
          rated_at: rating ? (timeOf(rating["createdAt"]) ?? timeOf(tracking["ratingAt"])) : null,
        },
      },
    ];
  });
  await tx.insert(
    "episodes",
    found.map((each) => each.row),
  );
  await tx.saveMoved(
    "episodes",
    found.map(({ oldId, row }) => ({ oldId, newId: row.id, isMade: true })),
  );
}

/** An open conversation has somebody; what waits for a bot or a queue waits for a person here; in a closed one nothing is unread. */
export function stateOf(
  { ids }: CompanyMove,
  row: SourceRow,
): { status: "open" | "pending" | "closed"; userId: number | null; unread: number } {
  const userId = ids.of("users", row["userId"]) ?? null;
  const status = textOf(row["status"]);
  if (["closed", "nps", "lgpd", "paused"].includes(status)) {
    return { status: "closed", userId, unread: 0 };
  }
  const unread = intOf(row["unreadMessages"], 0, mostUnread);
  return status === "open" && userId !== null
    ? { status: "open", userId, unread }
    : { status: "pending", userId: null, unread };
}

/** Tags of conversations; those of contacts go to the contact's conversations. */
export async function moveTicketTags(move: CompanyMove): Promise<void> {
  const { companyId, ids } = move;
  await moveLinks(move, {
    entity: "ticket_tags",
    key: ["ticket_id", "tag_id"],
    source: { table: "TicketTags", one: "ticketId", other: "tagId", parent: "Tickets" },
    rowOf: (row) => {
      const [ticketId, tagId] = [ids.of("tickets", row["ticketId"]), ids.of("tags", row["tagId"])];
      return ticketId && tagId ? { company_id: companyId, ticket_id: ticketId, tag_id: tagId } : undefined;
    },
  });
  await moveContactTags(move);
}

async function moveContactTags(move: CompanyMove): Promise<void> {
  const { companyId, family, oldCompanyId, ids, chats } = move;
  await moveRows(move, {
    entity: "contact_tags",
    table: "ticket_tags",
    key: ["ticket_id", "tag_id"],
    source: family.read(
      {
        table: "ContactTags",
        columns: ["contactId", "tagId"],
        order: `t."contactId", t."tagId"`,
        through: [{ column: "contactId", table: "Contacts" }],
      },
      oldCompanyId,
    ),
    idOf: (row) => `${String(row["contactId"])} ${String(row["tagId"])}`,
    async take(rows) {
      const ticketOf = new Map([...chats].map(([id, { contactId }]) => [contactId, id]));
      return rows.map((row): Taken => {
        const ticketId = ticketOf.get(ids.of("contacts", row["contactId"]) ?? 0);
        const tagId = ids.of("tags", row["tagId"]);
        return ticketId && tagId
          ? { row: { company_id: companyId, ticket_id: ticketId, tag_id: tagId } }
          : { skip: "the contact has no conversation, where a tag is kept here" };
      });
    },
  });
}

export async function moveNotes(move: CompanyMove): Promise<void> {
  const { companyId, family, oldCompanyId, ids, chats } = move;
  const through = [
    { column: "ticketId", table: "Tickets" },
    { column: "contactId", table: "Contacts" },
  ];
  const columns = ["id", "note", "notes", "body", "userId", "contactId", "ticketId", "createdAt"];
  await moveRows(move, {
    entity: "ticket_notes",
    source: family.read({ table: "TicketNotes", columns, through }, oldCompanyId),
    idOf: keyOf,
    async take(rows) {
      return rows.map((row): Taken => {
        const ticketId = ids.of("tickets", row["ticketId"]) ?? null;
        const contactId =
          (ticketId === null ? undefined : chats.get(ticketId)?.contactId) ?? ids.of("contacts", row["contactId"]);
        const text = textOf(row["note"] ?? row["notes"] ?? row["body"], 10_000).trim();
        if (contactId === undefined) {
          return { skip: "its contact was not taken" };
        }
        return text === ""
          ? { skip: "an empty note" }
          : {
              row: {
                company_id: companyId,
                ticket_id: ticketId,
                contact_id: contactId,
                user_id: ids.of("users", row["userId"]) ?? null,
                note: text,
                created_at: timeOf(row["createdAt"]) ?? new Date().toISOString(),
              },
            };
      });
    },
  });
}

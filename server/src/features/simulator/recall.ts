import { buffer } from "node:stream/consumers";
import type { Content, HistoryMessage } from "@prosa/wa-sim";
import type { Storage } from "#server/platform/storage/index.ts";
import type { PastGroupRow, PastMessageRow, PastRow } from "./past.queries.ts";
import { meetPerson } from "./simulator.people.ts";
import { fileContent } from "./simulator.acts.ts";
import { reach } from "./sim-line.ts";
import type { SimLine } from "./sim-line.ts";

/**
 * Puts conversations that the desk knows into the phones of their people, so that the demo's phone screen shows what
 * the desk shows. A person whose phone has something already is left as they are.
 */
export async function recall(storage: Storage, line: SimLine, rows: readonly PastRow[]): Promise<void> {
  const chats = await reach(() => line.client.call("chats", { line: line.number }));
  const talking = new Set(chats.map(({ number }) => number));
  for (const [number, past] of Map.groupBy(rows, (row) => row.number)) {
    const [first] = past;
    if (first && !talking.has(number)) {
      await meetPerson(line, first);
      const messages = await Promise.all(past.map((row) => pastMessage(storage, row)));
      await reach(() => line.client.call("importHistory", { number, line: line.number, past: messages }));
    }
  }
}

async function pastMessage(storage: Storage, row: PastMessageRow): Promise<HistoryMessage> {
  return {
    id: row.wa_id,
    isOwn: !row.from_me,
    at: row.sent_at.getTime(),
    content: await contentOf(storage, row),
    // Of an own message: the desk has read it. Of the line's: how far it came.
    status: !row.from_me || row.ack >= 3 ? "read" : "delivered",
  };
}

async function contentOf(storage: Storage, row: PastMessageRow): Promise<Content> {
  if (row.storage_key === null) {
    return row.body;
  }
  return fileContent(
    {
      name: row.file_name ?? "arquivo",
      contentType: row.mime_type ?? "application/octet-stream",
      bytes: await buffer(await storage.get(row.storage_key)),
    },
    { voice: row.is_voice ?? false, caption: row.body },
  );
}

/** The same for groups: made on the network as the desk knows them, so that they can be written to. */
export async function recallGroups(storage: Storage, line: SimLine, rows: readonly PastGroupRow[]): Promise<void> {
  const { client, number: own } = line;
  const known = new Set((await reach(() => client.call("groups", { line: own }))).map(({ id }) => id));
  for (const [id, past] of Map.groupBy(rows, (row) => row.group_id)) {
    const [first] = past;
    if (!first || known.has(id)) {
      continue;
    }
    const members = new Map(past.flatMap(({ number, name }) => (number === null ? [] : [[number, name] as const])));
    for (const [number, name] of members) {
      await meetPerson(line, { number, name });
    }
    await reach(() => client.call("group", { id, subject: first.subject, members: [...members.keys()], line: own }));
    for (const number of members.keys()) {
      const messages = await Promise.all(
        past.map(async (row) => ({ ...(await pastMessage(storage, row)), isOwn: row.number === number })),
      );
      await reach(() => client.call("importHistory", { number, line: own, past: messages, group: id }));
    }
  }
}

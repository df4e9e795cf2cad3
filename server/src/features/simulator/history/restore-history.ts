import { buffer } from "node:stream/consumers";
import type { Content, HistoryMessage } from "@prosa/wa-sim";
import type { Storage } from "#server/platform/storage/index.ts";
import type { GroupHistoryRow, HistoryMessageRow, ChatHistoryRow } from "./history.queries.ts";
import { addToNetwork } from "../people/index.ts";
import { fileContent } from "../phone/index.ts";
import { callNetwork } from "../simulator-line.ts";
import type { SimLine } from "../simulator-line.ts";

/**
 * Restores stored conversations on the phones of their people, so that the demo's phone screen shows the same messages as
 * the desk. A phone that has a conversation with the line already is left unchanged.
 */
export async function restoreChats(storage: Storage, line: SimLine, rows: readonly ChatHistoryRow[]): Promise<void> {
  const chats = await callNetwork(() => line.client.call("chats", { line: line.number }));
  const withChat = new Set(chats.map(({ number }) => number));
  for (const [number, past] of Map.groupBy(rows, (row) => row.number)) {
    const [first] = past;
    if (first && !withChat.has(number)) {
      await addToNetwork(line, first);
      const messages = await Promise.all(past.map((row) => pastMessage(storage, row)));
      await callNetwork(() => line.client.call("remembers", { number, line: line.number, past: messages }));
    }
  }
}

async function pastMessage(storage: Storage, row: HistoryMessageRow): Promise<HistoryMessage> {
  return {
    id: row.wa_id,
    isOwn: !row.from_me,
    at: row.sent_at.getTime(),
    content: await networkContent(storage, row),
    // The line has read the person's messages; its own have the delivery status that the ack says.
    status: !row.from_me || row.ack >= 3 ? "read" : "delivered",
  };
}

async function networkContent(storage: Storage, row: HistoryMessageRow): Promise<Content> {
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

/** Creates the line's groups on the network with their members and messages, so that people can write in them. */
export async function restoreGroups(storage: Storage, line: SimLine, rows: readonly GroupHistoryRow[]): Promise<void> {
  const { client, number: own } = line;
  const known = new Set((await callNetwork(() => client.call("groups", { line: own }))).map(({ id }) => id));
  for (const [id, past] of Map.groupBy(rows, (row) => row.group_id)) {
    const [first] = past;
    if (!first || known.has(id)) {
      continue;
    }
    const members = new Map(past.flatMap(({ number, name }) => (number === null ? [] : [[number, name] as const])));
    for (const [number, name] of members) {
      await addToNetwork(line, { number, name });
    }
    await callNetwork(() =>
      client.call("group", { id, subject: first.subject, members: [...members.keys()], line: own }),
    );
    for (const number of members.keys()) {
      const messages = await Promise.all(
        past.map(async (row) => ({ ...(await pastMessage(storage, row)), isOwn: row.number === number })),
      );
      await callNetwork(() => client.call("remembers", { number, line: own, past: messages, group: id }));
    }
  }
}

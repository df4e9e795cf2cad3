import type { Message } from "@prosa/contract/messages";
import type { Note } from "@prosa/contract/notes";
import { useEffect, useMemo, useRef } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useUser } from "#web/lib/session/session.ts";
import { outbox, useOutbox, type OutboxEntry } from "../outbox/index.ts";
import { unsignedText } from "../unsigned-text.ts";
import type { NewSince } from "./new-since.ts";
import { buildTimeline, isOwnBy, messagesOf, reuseRows, type TimelineRow } from "./timeline.ts";

export type Row =
  | TimelineRow
  | {
      readonly kind: "pending";
      readonly key: string;
      readonly entry: OutboxEntry;
      readonly author: string | undefined;
      /** Its words as they will stand there once they are stored: without the signature. */
      readonly text: string;
      /** What it answers, where that is loaded. */
      readonly quoted: Message | undefined;
    };

/** The stored messages with markers and notes, and at the end the pending messages of the outbox. */
export function useRows(
  ticketId: number,
  pages:
    | readonly {
        readonly messages: readonly Message[];
        readonly episodes: readonly Parameters<typeof buildTimeline>[1][number][];
      }[]
    | undefined,
  hasOlder: boolean,
  notes: readonly Note[] | undefined,
  newSince: NewSince | undefined,
): readonly Row[] {
  const format = useFormat();
  const user = useUser();
  const outboxEntries = useOutbox(ticketId);
  const timeline = useMemo(() => {
    const messages = pages?.flatMap((page) => page.messages) ?? [];
    const episodes = new Map(pages?.flatMap((page) => page.episodes.map((episode) => [episode.id, episode] as const)));
    return buildTimeline(messages, [...episodes.values()], {
      dayOf: format.date,
      hasOlder,
      ...(notes && { notes }),
      ...(newSince && { newSince }),
    });
  }, [pages, hasOlder, notes, newSince, format]);

  const known = useMemo(() => timeline.flatMap((row) => messagesOf(row)), [timeline]);
  const stored = useMemo(() => new Set(known.map(({ clientId }) => clientId ?? "")), [known]);
  // Its bubble is hidden behind the stored message, and the row of the list would say for ever that it was not sent.
  useEffect(() => outbox.dropStored(stored), [stored, outboxEntries]);

  const before = useRef<readonly Row[]>([]);
  const rows = useMemo(() => {
    const pending = outboxEntries.filter((entry) => !stored.has(entry.clientId));
    const last = timeline.at(-1);
    const author = last && messagesOf(last).some((message) => isOwnBy(message, user.id)) ? undefined : user.name;
    return reuseRows<Row>(before.current, [
      ...timeline,
      ...pending.map((entry, index) => ({
        kind: "pending" as const,
        key: entry.clientId,
        entry,
        author: index === 0 ? author : undefined,
        text: unsignedText({ body: entry.body, user }),
        quoted: known.find(({ id }) => id === entry.quotedMsgId),
      })),
    ]);
  }, [timeline, known, stored, outboxEntries, user]);
  useEffect(() => {
    before.current = rows;
  });
  return rows;
}

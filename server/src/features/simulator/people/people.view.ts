import type { ResponseOf, simulator } from "@prosa/contract";
import type { ChatView } from "@prosa/wa-sim";
import { previewText } from "../simulator.view.ts";
import type { PersonRow } from "./people.queries.ts";

export type SimPerson = ResponseOf<typeof simulator.addPerson>;

/** The people who were added, and those whom the line wrote to; the latest conversation first. */
export function peopleView(people: readonly PersonRow[], chats: readonly ChatView[]): SimPerson[] {
  const names = new Map(people.map(({ number, name }) => [number, name]));
  const withChat = chats.map(({ number, name, last, unread }) => ({
    number,
    name: names.get(number) ?? name,
    lastText: previewText(last),
    lastAt: new Date(last.at).toISOString(),
    unread,
  }));
  const known = new Set(chats.map(({ number }) => number));
  const withoutChat = people
    .filter(({ number }) => !known.has(number))
    .map(({ number, name }) => ({ number, name, lastText: "", lastAt: null, unread: 0 }));
  return [...withChat.toSorted((a, b) => (a.lastAt < b.lastAt ? 1 : -1)), ...withoutChat.toReversed()];
}

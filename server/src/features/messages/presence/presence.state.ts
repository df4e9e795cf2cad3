import type { WirePayload } from "@prosa/contract";

/** How long a report counts unless it is repeated (ms). */
export interface PresenceTiming {
  /** A user types: the browser repeats it every 3 s. */
  readonly typing: number;
  /** A contact types: WhatsApp repeats it about every 10 s. */
  readonly contactTyping: number;
  /** The viewers of a process, which repeats them in less than half of this; a dead process is forgotten after it. */
  readonly process: number;
}

export const presenceTiming: PresenceTiming = { typing: 6_000, contactTyping: 10_000, process: 50_000 };

export interface Viewer {
  readonly id: number;
  readonly name: string;
}

/** Who views one conversation and who types in it. Times are milliseconds; `…Until` is the expiry. */
export interface ConversationPresence {
  readonly byProcess: ReadonlyMap<string, { readonly viewers: readonly Viewer[]; readonly until: number }>;
  readonly typingUntil: ReadonlyMap<number, number>;
  readonly contactUntil: number;
}

export const emptyPresence: ConversationPresence = { byProcess: new Map(), typingUntil: new Map(), contactUntil: 0 };

/** Replaces the viewers of one process. */
export function withViewers(
  presence: ConversationPresence,
  process: string,
  viewers: readonly Viewer[],
  until: number,
): ConversationPresence {
  const byProcess = new Map(presence.byProcess);
  if (viewers.length === 0) {
    byProcess.delete(process);
  } else {
    byProcess.set(process, { viewers, until });
  }
  return { ...presence, byProcess };
}

/** A user types until then; 0 if they stopped. */
export function withUserTyping(presence: ConversationPresence, userId: number, until: number): ConversationPresence {
  return { ...presence, typingUntil: new Map(presence.typingUntil).set(userId, until) };
}

/** The contact types until then; 0 if they stopped. */
export function withContactTyping(presence: ConversationPresence, until: number): ConversationPresence {
  return { ...presence, contactUntil: until };
}

/** Drops what has expired. */
export function withoutExpired(presence: ConversationPresence, now: number): ConversationPresence {
  return {
    byProcess: new Map([...presence.byProcess].filter(([, { until }]) => until > now)),
    typingUntil: new Map([...presence.typingUntil].filter(([, until]) => until > now)),
    contactUntil: presence.contactUntil > now ? presence.contactUntil : 0,
  };
}

export function isEmpty({ byProcess, typingUntil, contactUntil }: ConversationPresence): boolean {
  return byProcess.size === 0 && typingUntil.size === 0 && contactUntil === 0;
}

/** The time of the next expiry; undefined if nothing expires. */
export function nextExpiry(presence: ConversationPresence, now: number): number | undefined {
  const expiries = [
    ...[...presence.byProcess.values()].map(({ until }) => until),
    ...presence.typingUntil.values(),
    presence.contactUntil,
  ].filter((until) => until > now);
  return expiries.length === 0 ? undefined : Math.min(...expiries);
}

/** The packet for browsers: each viewer once, whatever the number of windows. Only viewers are shown as typing. */
export function toPresencePayload(
  presence: ConversationPresence,
  ticketId: number,
  now: number,
): WirePayload<"ticketPresence"> {
  const { byProcess, typingUntil, contactUntil } = withoutExpired(presence, now);
  const people = new Map([...byProcess.values()].flatMap(({ viewers }) => viewers.map((one) => [one.id, one.name])));
  return {
    ticketId,
    viewers: [...people]
      .map(([id, name]) => ({ id, name, typing: typingUntil.has(id) }))
      .toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }) || a.id - b.id),
    contactTyping: contactUntil > 0,
  };
}

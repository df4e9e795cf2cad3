import type { WirePayload } from "@prosa/contract";

/** How long what was told counts without being told again (ms). */
export interface PresenceTiming {
  /** An agent writes: the browser says so each 3 s. */
  readonly typing: number;
  /** WhatsApp repeats that a contact writes about each 10 s. */
  readonly contactTyping: number;
  /** A process tells its viewers again in less than half of this; one that died is forgotten after it. */
  readonly process: number;
}

export const presenceTiming: PresenceTiming = { typing: 6_000, contactTyping: 10_000, process: 50_000 };

export interface Viewer {
  readonly id: number;
  readonly name: string;
}

/** What is known of one conversation, by whoever told it. Times are milliseconds. */
export interface Here {
  readonly byProcess: ReadonlyMap<string, { readonly viewers: readonly Viewer[]; readonly until: number }>;
  readonly typingUntil: ReadonlyMap<number, number>;
  readonly contactUntil: number;
}

export const nobody: Here = { byProcess: new Map(), typingUntil: new Map(), contactUntil: 0 };

/** A process said who looks there. */
export function seen(here: Here, process: string, viewers: readonly Viewer[], until: number): Here {
  const byProcess = new Map(here.byProcess);
  if (viewers.length === 0) {
    byProcess.delete(process);
  } else {
    byProcess.set(process, { viewers, until });
  }
  return { ...here, byProcess };
}

/** An agent writes until then; 0: stopped. */
export function typed(here: Here, userId: number, until: number): Here {
  return { ...here, typingUntil: new Map(here.typingUntil).set(userId, until) };
}

/** The contact writes until then; 0: stopped. */
export function contactTyped(here: Here, until: number): Here {
  return { ...here, contactUntil: until };
}

/** What still counts. */
export function current(here: Here, now: number): Here {
  return {
    byProcess: new Map([...here.byProcess].filter(([, { until }]) => until > now)),
    typingUntil: new Map([...here.typingUntil].filter(([, until]) => until > now)),
    contactUntil: here.contactUntil > now ? here.contactUntil : 0,
  };
}

export function isDeserted(here: Here): boolean {
  return here.byProcess.size === 0 && here.typingUntil.size === 0 && here.contactUntil === 0;
}

/** When something of it ceases to count; undefined when nothing does. */
export function nextEnd(here: Here, now: number): number | undefined {
  const ends = [
    ...[...here.byProcess.values()].map(({ until }) => until),
    ...here.typingUntil.values(),
    here.contactUntil,
  ].filter((until) => until > now);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** What browsers draw: each person once, however many windows they have; only who looks can be seen to write. */
export function pictureOf(here: Here, ticketId: number, now: number): WirePayload<"presence"> {
  const { byProcess, typingUntil, contactUntil } = current(here, now);
  const people = new Map([...byProcess.values()].flatMap(({ viewers }) => viewers.map((one) => [one.id, one.name])));
  return {
    ticketId,
    viewers: [...people]
      .map(([id, name]) => ({ id, name, typing: typingUntil.has(id) }))
      .toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }) || a.id - b.id),
    contactTyping: contactUntil > 0,
  };
}

import { compareMessages, type Message } from "@prosa/contract/messages";
import type { Note } from "@prosa/contract/notes";
import type { Episode } from "@prosa/contract/tickets";

/** A row of the conversation, oldest first. */
export type TimelineRow =
  | { readonly kind: "day"; readonly key: string; readonly day: string }
  | { readonly kind: "started" | "ended"; readonly key: string; readonly at: string; readonly episode: Episode }
  | { readonly kind: "note"; readonly key: string; readonly at: string; readonly note: Note }
  | {
      readonly kind: "message";
      readonly key: string;
      readonly message: Message;
      /** First of a run by one author within a minute: gets the tail and, in groups, the name. */
      readonly isFirst: boolean;
      readonly isLast: boolean;
    };

const minute = 60_000;

/**
 * Lays messages, episode markers and the team's notes out in time (M-01, T-21): a separator where the day changes in
 * `dayOf`'s time zone, a marker where an episode began or ended, bubbles grouped by author and minute.
 */
export function layOut(
  messages: readonly Message[],
  episodes: readonly Episode[],
  options: {
    readonly dayOf: (instant: string) => string;
    readonly hasOlder: boolean;
    readonly notes?: readonly Note[];
  },
): TimelineRow[] {
  const sorted = [...messages].sort(compareMessages);
  const markers = markersOf(episodes, options.notes ?? [], options.hasOlder ? sorted[0]?.createdAt : undefined);
  const rows: TimelineRow[] = [];
  let lastDay = "";
  let nextMarker = 0;

  const startDay = (at: string) => {
    const day = options.dayOf(at);
    if (day !== lastDay) {
      rows.push({ kind: "day", key: `day-${day}`, day: at });
      lastDay = day;
    }
  };
  const placeMarkersBefore = (time: number) => {
    for (let marker = markers[nextMarker]; marker && standsAt(marker) <= time; marker = markers[nextMarker]) {
      startDay(marker.at);
      rows.push(marker);
      nextMarker += 1;
    }
  };

  for (const [index, message] of sorted.entries()) {
    placeMarkersBefore(Date.parse(message.createdAt));
    startDay(message.createdAt);
    const previous = sorted[index - 1];
    const next = sorted[index + 1];
    rows.push({
      kind: "message",
      // the client id outlives the switch from the local echo to the stored row
      key: message.clientId ?? `m${message.id}`,
      message,
      isFirst: rows.at(-1)?.kind !== "message" || !previous || !isSameRun(previous, message),
      isLast: !next || !isSameRun(message, next),
    });
  }
  placeMarkersBefore(Number.POSITIVE_INFINITY);
  return rows;
}

function isSameRun(a: Message, b: Message): boolean {
  return (
    a.fromMe === b.fromMe &&
    a.isAutomatic === b.isAutomatic &&
    a.participant?.number === b.participant?.number &&
    Math.floor(Date.parse(a.createdAt) / minute) === Math.floor(Date.parse(b.createdAt) / minute)
  );
}

/** WhatsApp's times are whole seconds: an answer of the second in which a service began comes after its beginning. */
function standsAt(marker: Marker): number {
  const at = Date.parse(marker.at);
  return marker.kind === "started" ? Math.floor(at / 1000) * 1000 : at;
}

type Marker = Extract<TimelineRow, { kind: "started" | "ended" | "note" }>;

/** Markers older than the oldest loaded message wait until their page is there. */
function markersOf(episodes: readonly Episode[], notes: readonly Note[], oldest: string | undefined): Marker[] {
  const from = oldest === undefined ? Number.NEGATIVE_INFINITY : Date.parse(oldest);
  const ofNotes = notes.map((note) => ({
    kind: "note" as const,
    key: `note-${note.id}`,
    at: note.createdAt,
    note,
  }));
  const ofEpisodes = episodes.flatMap((episode): Marker[] => [
    ...(episode.startedAt
      ? [{ kind: "started" as const, key: `started-${episode.id}`, at: episode.startedAt, episode }]
      : []),
    ...(episode.finishedAt
      ? [{ kind: "ended" as const, key: `ended-${episode.id}`, at: episode.finishedAt, episode }]
      : []),
  ]);
  return [...ofEpisodes, ...ofNotes]
    .filter((marker) => Date.parse(marker.at) >= from)
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || idOf(a) - idOf(b));
}

const idOf = (marker: Marker) => (marker.kind === "note" ? marker.note.id : marker.episode.id);

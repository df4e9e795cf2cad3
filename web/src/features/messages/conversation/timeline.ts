import { compareMessages, type Message } from "@prosa/contract/messages";
import type { Note } from "@prosa/contract/notes";
import type { Episode } from "@prosa/contract/tickets";
import { replaceEqualDeep } from "@tanstack/react-query";

/** A row of the conversation, oldest first. */
export type TimelineRow =
  | { readonly kind: "day"; readonly key: string; readonly day: string }
  | { readonly kind: "started" | "ended"; readonly key: string; readonly at: string; readonly episode: Episode }
  | { readonly kind: "newSince"; readonly key: string; readonly at: string; readonly count: number }
  | { readonly kind: "note"; readonly key: string; readonly at: string; readonly note: Note }
  | ({
      readonly kind: "message";
      readonly key: string;
      readonly message: Message;
    } & RunPosition)
  | ({
      readonly kind: "album";
      readonly key: string;
      /** Two or more, oldest first. */
      readonly messages: readonly Message[];
    } & RunPosition);

/** Where a bubble stands among the others of its author. */
interface RunPosition {
  /** First of a run by one author within a minute: has the tail. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** First after somebody else's words, a note or a marker: the author's name stands here. */
  readonly hasAuthor: boolean;
}

const minuteMs = 60_000;
/** Pictures of one author that follow each other within this time are an album. */
const albumWithinMs = minuteMs;

/**
 * Merges messages, episode markers and notes in order of time (M-01, T-21): a separator where the day changes in
 * `dayOf`'s time zone, a marker where an episode began or ended, bubbles grouped by author and minute, pictures that
 * were sent together as one album.
 */
export function buildTimeline(
  messages: readonly Message[],
  episodes: readonly Episode[],
  options: {
    readonly dayOf: (instant: string) => string;
    readonly hasOlder: boolean;
    readonly notes?: readonly Note[];
    /** The unread part begins at this message. */
    readonly newSince?: { readonly messageId: number; readonly count: number };
  },
): TimelineRow[] {
  const loaded = [...messages].sort(compareMessages);
  const waiting = options.hasOlder ? countOfIncomplete(loaded) : 0;
  const sorted = loaded.slice(waiting);
  const rows: TimelineRow[] = [];
  // The oldest loaded day gets its separator when its first page is loaded: a separator above every page would move up
  // with each of them, and with it the scroll position of whoever reads at the top.
  const oldest = options.hasOlder ? (loaded[waiting - 1] ?? sorted[0]) : undefined;
  const markers = markersOf(episodes, options.notes ?? [], oldest?.createdAt);
  let lastDay = oldest ? options.dayOf(oldest.createdAt) : "";
  let nextMarker = 0;

  const startDay = (at: string) => {
    const day = options.dayOf(at);
    if (day !== lastDay) {
      rows.push({ kind: "day", key: `day-${day}`, day: at });
      lastDay = day;
    }
  };
  const placeMarkersBefore = (time: number) => {
    for (let marker = markers[nextMarker]; marker && positionOf(marker) <= time; marker = markers[nextMarker]) {
      startDay(marker.at);
      rows.push(marker);
      nextMarker += 1;
    }
  };

  for (const [index, message] of sorted.entries()) {
    placeMarkersBefore(Date.parse(message.createdAt));
    startDay(message.createdAt);
    const previous = loaded[waiting + index - 1];
    const next = sorted[index + 1];
    const isLast = !next || !isSameRun(message, next);
    const last = rows.at(-1);
    const album = last && isMessageRow(last) && previous && isSameAlbum(previous, message) ? rows.pop() : undefined;
    const isFirstNew = message.id === options.newSince?.messageId;
    if (isFirstNew) {
      // Above an album that begins with pictures that were read: the line splits none.
      rows.push({ kind: "newSince", key: "new-since", at: message.createdAt, count: options.newSince.count });
    }
    if (album && isMessageRow(album)) {
      const messages = album.kind === "album" ? album.messages : [album.message];
      rows.push({
        kind: "album",
        // an album grows at both ends while older pages load; its key is of its newest message, so that it stays in place
        key: keyOf(message),
        messages: [...messages, message],
        isFirst: isFirstNew || album.isFirst,
        isLast,
        hasAuthor: isFirstNew || album.hasAuthor,
      });
      continue;
    }
    const above = rows.at(-1);
    const isBelowBubble = previous !== undefined && (above === undefined || isMessageRow(above));
    rows.push({
      kind: "message",
      key: keyOf(message),
      message,
      isFirst: !isBelowBubble || !isSameRun(previous, message),
      isLast,
      hasAuthor: !isBelowBubble || !isOneAuthor(previous, message),
    });
  }
  placeMarkersBefore(Number.POSITIVE_INFINITY);
  return rows;
}

/**
 * The rows, each as the object that it was before where nothing in it has changed: a new message renders its own row, not all
 * that stand above it.
 */
export function reuseRows<R extends RowMessages>(before: readonly R[], rows: readonly R[]): readonly R[] {
  const known = new Map(before.map((row) => [row.key, row]));
  return rows.map((row) => replaceEqualDeep(known.get(row.key), row));
}

/** The client id is the same for the pending and for the stored message: the row is not mounted again. */
const keyOf = (message: Message) => message.clientId ?? `m${message.id}`;

function isMessageRow(row: TimelineRow): row is Extract<TimelineRow, { kind: "message" | "album" }> {
  return row.kind === "message" || row.kind === "album";
}

/** The key of a row and the messages that it shows. */
export interface RowMessages {
  readonly key: string;
  readonly message?: Message;
  readonly messages?: readonly Message[];
}

/** The messages of a row; none for a separator, marker or note. */
export function messagesOf(row: RowMessages): readonly Message[] {
  return row.messages ?? (row.message ? [row.message] : []);
}

/** Can it be an album tile? Not with a quotation, a failure or a missing file, which a tile has no space to show. */
function canBeTile({ mediaType, isDeleted, ack, changeFailure, quotedMsgId, media }: Message): boolean {
  return (
    (mediaType === "image" || mediaType === "video") &&
    !isDeleted &&
    ack >= 0 &&
    changeFailure === null &&
    quotedMsgId === null &&
    media?.state !== "failed" &&
    media?.state !== "expired"
  );
}

function isSameAlbum(a: Message, b: Message): boolean {
  const apart = Date.parse(b.createdAt) - Date.parse(a.createdAt);
  return canBeTile(a) && canBeTile(b) && isOneAuthor(a, b) && a.user?.id === b.user?.id && apart <= albumWithinMs;
}

/**
 * How many of the oldest messages wait until older ones are loaded: the first, whose author's name depends on who wrote before
 * it, and those that may belong to an album whose beginning is not loaded. A row that changes its height when a page comes
 * would move what is being read.
 */
function countOfIncomplete(sorted: readonly Message[]): number {
  const [first] = sorted;
  if (!first || sorted.length === 1) {
    return 0;
  }
  if (!canBeTile(first)) {
    return 1;
  }
  const end = sorted.findIndex((message, index) => {
    const next = sorted[index + 1];
    return next !== undefined && !isSameAlbum(message, next);
  });
  return end + 1;
}

function isOneAuthor(a: Message, b: Message): boolean {
  return a.fromMe === b.fromMe && (a.fromMe ? isOneSender(a, b) : isOneParticipant(a.participant, b.participant));
}

/** Of an exported chat only the name of an author may be known. */
function isOneParticipant(a: Message["participant"], b: Message["participant"]): boolean {
  return a?.number === b?.number && (a?.number !== "" || a.name === b?.name);
}

/** Did this colleague write it here? */
export function isOwnBy(message: Message, userId: number): boolean {
  return message.fromMe && !message.isAutomatic && message.clientId !== null && message.user?.id === userId;
}

/** The bot, the phone, or one and the same colleague. Only what this product sends has a client id. */
function isOneSender(a: Message, b: Message): boolean {
  const isOneKind = a.isAutomatic === b.isAutomatic && (a.clientId === null) === (b.clientId === null);
  return isOneKind && (a.isAutomatic || a.user?.id === b.user?.id);
}

function isSameRun(a: Message, b: Message): boolean {
  return (
    isOneAuthor(a, b) &&
    Math.floor(Date.parse(a.createdAt) / minuteMs) === Math.floor(Date.parse(b.createdAt) / minuteMs)
  );
}

/** WhatsApp's times are whole seconds: an answer in the second in which an episode began sorts after its marker. */
function positionOf(marker: Marker): number {
  const at = Date.parse(marker.at);
  return marker.kind === "started" ? Math.floor(at / 1000) * 1000 : at;
}

type Marker = Extract<TimelineRow, { kind: "started" | "ended" | "note" }>;

/** Markers and notes, oldest first; those older than the oldest loaded message are left out until their page is loaded. */
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

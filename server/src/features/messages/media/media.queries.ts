import type { MediaState, MediaType } from "@prosa/contract";
import { sql } from "kysely";
import type { SealedColumn } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** The file of an outgoing message, which is in the storage already. */
export interface StoredMedia {
  readonly messageId: number;
  readonly storageKey: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly seconds: number | null;
  readonly isVoice: boolean;
  readonly thumbnail: Uint8Array | null;
}

const INSERT_READY: Statement<never> = {
  name: "media_insert_ready",
  text: `insert into media (message_id, company_id, state, storage_key, file_name, mime_type, size, width, height, seconds,
      is_voice, thumbnail)
    values ($2, $1, 'ready', $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
};

export async function insertReadyMedia(ctx: Ctx, media: StoredMedia): Promise<void> {
  const { messageId, storageKey, fileName, mimeType, size, width, height, seconds, isVoice, thumbnail } = media;
  const file = [storageKey, fileName, mimeType, size, width, height, seconds, isVoice, thumbnail];
  await ctx.raw(INSERT_READY, [ctx.companyId, messageId, ...file]);
}

/** The file of a message as the download needs it. `source` is encrypted, see `mediaSourceContext`. */
export interface MediaRow {
  readonly messageId: number;
  readonly ticketId: number;
  readonly connectionId: number | null;
  readonly state: MediaState;
  readonly mediaType: string;
  readonly fileName: string | null;
  readonly mimeType: string | null;
  readonly source: Uint8Array | null;
  readonly hasThumbnail: boolean;
}

const FIND_FILES: Statement<{ key: string }> = {
  name: "media_find_files",
  text: `select storage_key as key from media where company_id = $1 and storage_key = any($2::text[])`,
};

/** The storage keys among these that belong to a message. */
export async function findMessageFiles(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const rows = await ctx.raw(FIND_FILES, [ctx.companyId, keys]);
  return rows.map(({ key }) => key);
}

const FIND_VISIBLE_FILES: Statement<{ key: string }> = {
  name: "media_find_visible_files",
  text: `select f.storage_key as key from media f join messages m on m.id = f.message_id
    where f.company_id = $1 and f.storage_key = any($2::text[]) and not m.is_deleted`,
};

/** The storage keys among these whose message is visible, that is not deleted for everyone. */
export async function findVisibleMessageFiles(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const rows = await ctx.raw(FIND_VISIBLE_FILES, [ctx.companyId, keys]);
  return rows.map(({ key }) => key);
}

const FIND_MEDIA: Statement<MediaRow> = {
  name: "media_find",
  text: `select f.message_id as "messageId", m.ticket_id as "ticketId", m.connection_id as "connectionId", f.state,
      m.media_type as "mediaType", f.file_name as "fileName", f.mime_type as "mimeType", f.source,
      f.thumbnail is not null as "hasThumbnail"
    from media f join messages m on m.id = f.message_id where f.company_id = $1 and f.message_id = $2`,
};

export async function findMedia(ctx: Ctx, messageId: number): Promise<MediaRow | undefined> {
  const [media] = await ctx.raw(FIND_MEDIA, [ctx.companyId, messageId]);
  return media;
}

const SET_STATE: Statement<{ message_id: number }> = {
  name: "media_set_state",
  text: `with changed as (
      update media set state = $3, fail_reason = $4 where company_id = $1 and message_id = $2 and state <> 'ready'
      returning message_id)
    update messages m set version = m.version + 1 from changed where m.company_id = $1 and m.id = changed.message_id
    returning m.id as message_id`,
};

/** Sets the state of a file that is not ready; a ready one stays ready. False if nothing changed. */
export async function setMediaState(
  ctx: Ctx,
  messageId: number,
  state: Exclude<MediaState, "ready">,
  reason: string | null = null,
): Promise<boolean> {
  const rows = await ctx.raw(SET_STATE, [ctx.companyId, messageId, state, reason]);
  return rows.length > 0;
}

const SET_READY: Statement<{ message_id: number }> = {
  name: "media_set_ready",
  text: `with changed as (
      update media set state = 'ready', fail_reason = null, storage_key = $3, mime_type = $4, size = $5,
        width = coalesce($6, width), height = coalesce($7, height), thumbnail = coalesce($8, thumbnail)
      where company_id = $1 and message_id = $2 and state <> 'ready'
      returning message_id)
    update messages m set version = m.version + 1 from changed where m.company_id = $1 and m.id = changed.message_id
    returning m.id as message_id`,
};

/** Marks a file as ready after its download. False if another attempt was first. */
export async function setMediaReady(
  ctx: Ctx,
  messageId: number,
  file: {
    readonly storageKey: string;
    readonly mimeType: string;
    readonly size: number;
    readonly width: number | null;
    readonly height: number | null;
    readonly thumbnail: Uint8Array | null;
  },
): Promise<boolean> {
  const { storageKey, mimeType, size, width, height, thumbnail } = file;
  const values = [ctx.companyId, messageId, storageKey, mimeType, size, width, height, thumbnail];
  const rows = await ctx.raw(SET_READY, values);
  return rows.length > 0;
}

/** The file of a message of an exported chat, which came with a later export. */
export interface FoundFile extends Pick<
  StoredMedia,
  "messageId" | "storageKey" | "fileName" | "mimeType" | "size" | "isVoice"
> {
  readonly mediaType: MediaType;
}

const FILL_MISSING: Statement<never> = {
  name: "media_fill_missing",
  text: `with given as (
      select * from jsonb_to_recordset($2::jsonb) as g("messageId" bigint, "storageKey" text, "fileName" text, "mimeType" text,
        size bigint, "isVoice" boolean, "mediaType" text)),
    filled as (
      update media f set state = 'ready', fail_reason = null, storage_key = g."storageKey", file_name = g."fileName",
        mime_type = g."mimeType", size = g.size, is_voice = g."isVoice"
      from given g where f.company_id = $1 and f.message_id = g."messageId" and f.state <> 'ready' and f.source is null
      returning f.message_id, g."mediaType")
    update messages m set media_type = filled."mediaType", version = m.version + 1 from filled
    where m.company_id = $1 and m.id = filled.message_id`,
};

/** Gives messages their files that nothing else can fetch any more; those that have one keep it. */
export async function fillMissingMedia(ctx: Ctx, files: readonly FoundFile[]): Promise<void> {
  if (files.length > 0) {
    await ctx.raw(FILL_MISSING, [ctx.companyId, JSON.stringify(files)]);
  }
}

const SET_VOICE: Statement<never> = {
  name: "media_set_voice",
  text: `update media set seconds = $3, waveform = $4 where company_id = $1 and message_id = $2`,
};

/** Stores duration and waveform of a voice note, which its conversion finds out. */
export async function setVoiceMetadata(
  ctx: Ctx,
  messageId: number,
  { seconds, waveform }: { readonly seconds: number; readonly waveform: Uint8Array },
): Promise<void> {
  await ctx.raw(SET_VOICE, [ctx.companyId, messageId, seconds, waveform]);
}

const SET_VIDEO: Statement<never> = {
  name: "media_set_video",
  text: `with changed as (
      update media set width = $3, height = $4, seconds = $5, thumbnail = coalesce($6, thumbnail)
      where company_id = $1 and message_id = $2 returning message_id)
    update messages m set version = m.version + 1 from changed where m.company_id = $1 and m.id = changed.message_id`,
};

/** Stores size, duration and thumbnail of an outgoing video. */
export async function setVideoMetadata(
  ctx: Ctx,
  messageId: number,
  {
    width,
    height,
    seconds,
    thumbnail,
  }: {
    readonly width: number;
    readonly height: number;
    readonly seconds: number;
    readonly thumbnail: Uint8Array | null;
  },
): Promise<void> {
  await ctx.raw(SET_VIDEO, [ctx.companyId, messageId, width, height, seconds, thumbnail]);
}

const SET_TRANSCRIPT: Statement<{ ticketId: number }> = {
  name: "message_set_transcript",
  text: `update messages set transcript = $3, version = version + 1 where company_id = $1 and id = $2 and transcript is null
    returning ticket_id as "ticketId"`,
};

/** Stores what a voice message says, once. The ticket of the message; undefined if it is gone or has a transcript. */
export async function setTranscript(ctx: Ctx, messageId: number, text: string): Promise<number | undefined> {
  const [message] = await ctx.raw(SET_TRANSCRIPT, [ctx.companyId, messageId, text]);
  return message?.ticketId;
}

/** The file of a voice message, and its words if it was transcribed. */
export interface Recording {
  readonly transcript: string | null;
  readonly state: MediaState;
  /** Null until it is downloaded. */
  readonly storageKey: string | null;
  readonly mimeType: string | null;
  readonly size: number | null;
  /** As the sender says. */
  readonly seconds: number | null;
}

const FIND_RECORDING: Statement<Recording> = {
  name: "media_find_recording",
  text: `select m.transcript, f.state, f.storage_key as "storageKey", f.mime_type as "mimeType", f.size, f.seconds
    from messages m join media f on f.message_id = m.id where m.company_id = $1 and m.id = $2 and not m.is_deleted`,
};

export async function findRecording(ctx: Ctx, messageId: number): Promise<Recording | undefined> {
  const [recording] = await ctx.raw(FIND_RECORDING, [ctx.companyId, messageId]);
  return recording;
}

const MEDIA_OF_MESSAGES: Statement<Recording & { readonly messageId: number }> = {
  name: "media_of_messages",
  text: `select m.id as "messageId", m.transcript, f.state, f.storage_key as "storageKey", f.mime_type as "mimeType", f.size, f.seconds
    from messages m join media f on f.message_id = m.id
    where m.company_id = $1 and m.id = any ($2::bigint[]) and not m.is_deleted`,
};

/** The files of several messages, in no order. */
export async function findMediaOfMessages(
  ctx: Ctx,
  messageIds: readonly number[],
): Promise<(Recording & { readonly messageId: number })[]> {
  return ctx.raw(MEDIA_OF_MESSAGES, [ctx.companyId, messageIds]);
}

/** The encryption context (additional authenticated data) of a media source: address and key of a file on WhatsApp. */
export function mediaSourceContext(connectionId: number): string {
  return `media:${connectionId}`;
}

export const sealedMedia: SealedColumn = {
  table: "media",
  column: "source",
  key: ["message_id"],
  extraColumns: { connection_id: sql`(select connection_id from messages where id = message_id)` },
  contextOf: (row) => mediaSourceContext(Number(row["connection_id"])),
};

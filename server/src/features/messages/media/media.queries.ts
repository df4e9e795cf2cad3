import type { MediaState } from "@prosa/contract";
import { sql } from "kysely";
import type { SealedColumn } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** A file of ours that is in the storage already. */
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

export interface WantedMedia {
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

const NAMED: Statement<{ key: string }> = {
  name: "media_named",
  text: `select storage_key as key from media where company_id = $1 and storage_key = any($2::text[])`,
};

/** Which of these files belong to a message. */
export async function filesOfMessages(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const rows = await ctx.raw(NAMED, [ctx.companyId, keys]);
  return rows.map(({ key }) => key);
}

const SHOWN: Statement<{ key: string }> = {
  name: "media_shown",
  text: `select f.storage_key as key from media f join messages m on m.id = f.message_id
    where f.company_id = $1 and f.storage_key = any($2::text[]) and not m.is_deleted`,
};

/** Which of them a message shows: one that was deleted for everybody shows nothing any more. */
export async function filesShownByMessages(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const rows = await ctx.raw(SHOWN, [ctx.companyId, keys]);
  return rows.map(({ key }) => key);
}

const FIND_MEDIA: Statement<WantedMedia> = {
  name: "media_find",
  text: `select f.message_id as "messageId", m.ticket_id as "ticketId", m.connection_id as "connectionId", f.state,
      m.media_type as "mediaType", f.file_name as "fileName", f.mime_type as "mimeType", f.source,
      f.thumbnail is not null as "hasThumbnail"
    from media f join messages m on m.id = f.message_id where f.company_id = $1 and f.message_id = $2`,
};

export async function findMedia(ctx: Ctx, messageId: number): Promise<WantedMedia | undefined> {
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

/** A file that is here stays here. False when nothing changed. */
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

/** The file is in the storage. False when somebody else fetched it first. */
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

const SET_LENGTH: Statement<never> = {
  name: "media_set_length",
  text: `update media set seconds = $3 where company_id = $1 and message_id = $2`,
};

/** How long a sound of ours takes, once that is known. */
export async function setSoundLength(ctx: Ctx, messageId: number, seconds: number): Promise<void> {
  await ctx.raw(SET_LENGTH, [ctx.companyId, messageId, seconds]);
}

const SET_VIDEO: Statement<never> = {
  name: "media_set_video",
  text: `with changed as (
      update media set width = $3, height = $4, seconds = $5, thumbnail = coalesce($6, thumbnail)
      where company_id = $1 and message_id = $2 returning message_id)
    update messages m set version = m.version + 1 from changed where m.company_id = $1 and m.id = changed.message_id`,
};

/** What was seen of a video of ours. */
export async function setVideoFacts(
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

/** Under which the address of a file is sealed. */
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

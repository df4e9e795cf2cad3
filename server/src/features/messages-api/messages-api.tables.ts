import type { HoldReason } from "@prosa/contract";
import type { ColumnType } from "kysely";

export interface ApiMessagesTable {
  id: string;
  company_id: number;
  connection_id: number;
  idempotency_key: string | null;
  /** SHA-256 of what was asked. */
  fingerprint: string;
  number: string;
  body: string;
  options: ColumnType<ApiOptions, string, string>;
  /** The stored files of a message that waits. */
  files: ColumnType<readonly ApiFile[], string, string>;
  state: "waiting" | "stored" | "failed";
  held_reason: HoldReason | null;
  held_until: Date | null;
  error: string | null;
  message_ids: ColumnType<number[], number[] | undefined>;
  created_at: Date;
}

/** What the request wants besides the message. */
export interface ApiOptions {
  readonly queueId: number | null;
  readonly userId: number | null;
  readonly sendSignature: boolean;
  readonly closeTicket: boolean;
  /** The LID that WhatsApp gave for the number, if it was asked. */
  readonly lid: string | null;
  /** WhatsApp was asked, and the number is spelled as it answered. Missing where an earlier release stored the request: not known. */
  readonly isSpelledByWhatsApp?: boolean;
}

/** A stored file, as JSON keeps it. */
export interface ApiFile {
  readonly storageKey: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  /** Base64 of a small JPEG. */
  readonly thumbnail: string | null;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    api_messages: ApiMessagesTable;
  }
}

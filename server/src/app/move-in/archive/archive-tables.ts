import type { ArchiveTable } from "./archive.queries.ts";

/** What an archive of a company holds, in the order in which it is read: a table after those that it refers to, where that can be. */
export const archiveTables = [
  "settings",
  "prompts",
  "queue_integrations",
  "queues",
  "file_lists",
  "file_list_options",
  "queue_options",
  "connections",
  "connection_queues",
  "line_rules",
  "sending_rules",
  "users",
  "user_queues",
  "tags",
  "products",
  "contacts",
  "contact_identifiers",
  "tickets",
  "episodes",
  "ticket_tags",
  "ticket_products",
  "ticket_notes",
  "quick_messages",
  "contact_lists",
  "contact_list_items",
  "campaign_settings",
  "campaigns",
  "campaign_lines",
  "messages",
  "message_edits",
  "message_reactions",
  "media",
  "campaign_recipients",
  "schedules",
  "opt_outs",
  "chats",
  "chat_users",
  "chat_messages",
] as const;

/** References that are no foreign keys. */
export const looseReferences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  messages: { quoted_id: "messages" },
  tickets: { episode_id: "episodes" },
  campaign_recipients: { contact_list_item_id: "contact_list_items" },
};

/** Bytes that are no secret: the only ones that leave the installation. All others are encrypted with its key. */
const plainBytes = new Set(["media.thumbnail", "media.waveform"]);
const secretNames = new Set(["token", "token_hash", "pairing_code", "qrcode"]);
const secretSettingKeys = new Set(["asaas"]);

/** The columns that leave, and that come in: not what is encrypted with an installation's key, nor a secret of it. */
export function movedColumns({ name: table, columns }: Pick<ArchiveTable, "name" | "columns">): string[] {
  const isSecret = (column: string, type: string) =>
    (type === "bytea" && !plainBytes.has(`${table}.${column}`)) || secretNames.has(column);
  return columns.filter(({ name, type }) => !isSecret(name, type)).map(({ name }) => name);
}

export type ArchivedRow = Record<string, unknown>;

/** Undefined: the row stays here. Password hashes and addresses of webhooks leave only in an encrypted archive. */
export function withoutSecrets(table: string, row: ArchivedRow, isEncrypted: boolean): ArchivedRow | undefined {
  if (table === "settings" && secretSettingKeys.has(String(row["key"]))) {
    return undefined;
  }
  // Whoever knows the address of a webhook can call it.
  if (table === "queue_integrations" && !isEncrypted) {
    return { ...row, url_n8n: "" };
  }
  if (table === "users" && !isEncrypted) {
    const { password_hash: _left, ...rest } = row;
    return rest;
  }
  return row;
}

/** What a row becomes elsewhere: nothing is connected, sent or fetched by itself. */
export function atRest(table: string, row: ArchivedRow): ArchivedRow {
  switch (table) {
    case "connections":
      return {
        ...row,
        ...{ status: "DISCONNECTED", wanted: "down", reason: null, retries: 0, session_round: 0, linked_at: null },
        ...{ pairing_number: null, pairing_expires_at: null, pending_number: null },
      };
    case "users":
      return { ...row, is_super: false };
    case "tickets":
      // The bot's place in its script names options by their ids.
      return { ...row, bot_state: null, chatbot: false, use_integration: false };
    case "messages":
      return { ...row, ack: row["from_me"] === true && row["ack"] === 0 ? 1 : row["ack"] };
    case "media":
      return { ...row, state: row["state"] === "ready" ? "ready" : "expired" };
    case "schedules":
      return row["sent_at"] === null
        ? { ...row, error: "ERR_SCHEDULE_MOVED_IN", held_reason: null, held_until: null }
        : row;
    case "campaigns": {
      const status = row["status"];
      return { ...row, status: status === "EM_ANDAMENTO" ? "CANCELADA" : status === "PROGRAMADA" ? "INATIVA" : status };
    }
    default:
      return row;
  }
}

import { secretSettings } from "@prosa/contract";
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
  "contact_aliases",
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
  "link_previews",
  "knowledge_sources",
  "knowledge_source_prompts",
  "knowledge_passages",
  "knowledge_words",
  "webhooks",
] as const;

/** The tables with rows of a company that stay, and why. Every one is here or in `archiveTables`. */
export const tablesThatStay = {
  // accounts of this installation, and what proves who somebody is here
  invoices: "billed by this installation's operator",
  invoice_charges: "billed by this installation's operator",
  invoice_payments: "billed by this installation's operator",
  credit_entries: "billed by this installation's operator",
  payment_returns: "billed by this installation's operator",
  sessions: "signed in here",
  support_sessions: "consent to this installation's operator",
  support_grants: "consent to this installation's operator",
  api_keys: "secrets",
  invitations: "secrets",
  password_resets: "secrets",
  email_confirmations: "secrets",
  second_factors: "secrets",
  passkeys: "bound to the address of this installation",
  recovery_codes: "secrets",
  push_subscriptions: "bound to the keys of this installation",
  user_presence: "of the moment",

  // lines: their pairing is with this installation
  line_leases: "of the moment",
  line_log: "of a pairing",
  line_answers: "of a pairing",
  line_limits: "of a pairing",
  line_signals: "of a pairing",
  line_days: "of a pairing",
  line_pace: "of a pairing",
  wa_keys: "secrets",
  wa_creds: "secrets",
  sent_payloads: "for repeats of a pairing",
  message_changes_waiting: "of a pairing",

  // counted and derived from what moves
  message_texts: "derived from messages",
  message_words: "derived from messages",
  ticket_counts: "derived from tickets",
  campaign_counts: "derived from campaign_recipients",
  knowledge_spaces: "derived from knowledge",
  knowledge_vectors: "derived from knowledge",
  kept_counts: "derived",
  kept_days: "derived from messages and episodes",
  kept_day_users: "derived from messages and episodes",
  kept_day_marks: "derived from messages and episodes",

  // work under way, and reports of work that is done
  jobs: "work of this installation",
  event_log: "work of this installation",
  contact_imports: "report of work that is done",
  contact_list_imports: "report of work that is done",
  contact_list_refused_rows: "report of work that is done",
  chat_imports: "report of work that is done",
  ticket_bulks: "report of work that is done",
  contact_merges: "undoes work of this installation",
  retention_runs: "report of work that is done",
  company_exports: "the archives themselves",
  contact_exports: "archives that expire",
  contact_erasures: "erased people are in no archive",
  moved_rows: "where rows of this installation came from",
  answered_requests: "answers repeats of calls to this installation",
  api_messages: "answers repeats of calls to this installation",
  webhook_events: "work of this installation",
  webhook_deliveries: "report of work that is done",
  integration_calls: "report of work that is done",
  typebot_sessions: "a talk of the moment",
  prompt_usage: "billed to this installation",

  // the log that proves itself by its chain, which another installation cannot go on
  audit_log: "chained here; it is exported as csv",
  audit_heads: "chained here",

  sim_people: "of the simulator",
  sim_days: "of the simulator",
} as const;

/** References that are no foreign keys. */
export const looseReferences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  messages: { quoted_id: "messages" },
  tickets: { episode_id: "episodes" },
  campaign_recipients: { contact_list_item_id: "contact_list_items" },
};

/** Bytes that are no secret: the only ones that leave the installation. All others are encrypted with its key. */
const plainBytes = new Set(["media.thumbnail", "media.waveform", "link_previews.picture", "link_previews.url_hash"]);
const secretNames = new Set(["token", "token_hash", "pairing_code", "qrcode"]);
const secretSettingKeys: ReadonlySet<string> = new Set(secretSettings);

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
  if (table === "webhooks" && !isEncrypted) {
    return { ...row, url: originOf(row["url"]) };
  }
  if (table === "users" && !isEncrypted) {
    const { password_hash: _left, ...rest } = row;
    return rest;
  }
  return row;
}

/** Without the path, in which many services have the secret of a webhook. */
function originOf(url: unknown): string {
  return URL.parse(String(url))?.origin ?? "";
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
    case "webhooks":
      return { ...row, is_active: false, switched_off: null, failing_since: null };
    case "knowledge_sources":
      // Nobody goes on reading it; who opens it puts the file there again.
      return row["state"] === "reading" ? { ...row, state: "failed", failure: "unreadable" } : row;
    case "campaigns": {
      const status = row["status"];
      return { ...row, status: status === "EM_ANDAMENTO" ? "CANCELADA" : status === "PROGRAMADA" ? "INATIVA" : status };
    }
    default:
      return row;
  }
}

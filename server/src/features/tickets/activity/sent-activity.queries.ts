import { truncateText } from "#server/platform/truncate-text.ts";
import { previewLength } from "./ticket-activity.queries.ts";

/** What a message of ours changes in its ticket. */
export interface SentActivity {
  /** Its text, or the name of its file. */
  readonly preview: string;
  /** When a person answered with it; null: the bot, notices and schedules answer nobody. */
  readonly answeredAt: Date | null;
  /** The user for whom a reply waits (decision 0144). */
  readonly awaitsReplyTo: number | null;
}

/**
 * SQL that writes the activity of a sent message, for the statement that stores it: the update of its ticket `t`, which is locked
 * and has nothing newer. `$1` is the company; `values` are those of `sentActivityValues`, from the given parameter on.
 */
export function sentActivitySql(
  message: { readonly ticketId: string; readonly mediaType: string; readonly sentAt: string },
  from: number,
): string {
  const [preview, answeredAt, awaitedUser, now] = [0, 1, 2, 3].map((n) => `$${from + n}`);
  return `update tickets t set last_message = ${preview}, last_message_type = ${message.mediaType}, last_message_from_me = true,
      last_message_at = greatest(${message.sentAt}, t.last_message_at),
      awaited_user_id = coalesce(${awaitedUser}::int, t.awaited_user_id),
      awaited_since = case when ${awaitedUser}::int is null then t.awaited_since else ${message.sentAt} end,
      waiting_since = case when ${answeredAt}::timestamptz is null or t.waiting_since > ${answeredAt} then t.waiting_since end,
      version = t.version + 1, updated_at = ${now}::timestamptz
    from stored where t.company_id = $1 and t.id = ${message.ticketId}`;
}

/** The values of `sentActivitySql`. */
export function sentActivityValues(
  { preview, answeredAt, awaitsReplyTo }: SentActivity,
  now: Date,
): readonly unknown[] {
  return [sentPreview(preview), answeredAt, awaitsReplyTo, now];
}

/**
 * The same for messages of the product, which answer nobody, to several tickets: `latest` has one row a ticket, with ticket_id,
 * preview, media_type and sent_at. `now` is a parameter.
 */
export function automaticActivitySql(latest: string, now: string): string {
  return `update tickets t set last_message = l.preview, last_message_type = l.media_type, last_message_from_me = true,
        last_message_at = greatest(l.sent_at, t.last_message_at), version = t.version + 1, updated_at = ${now}
      from ${latest} l where t.company_id = $1 and t.id = l.ticket_id`;
}

/** As much of a text as a ticket keeps of its last message. */
export function sentPreview(text: string): string {
  return truncateText(text, previewLength);
}

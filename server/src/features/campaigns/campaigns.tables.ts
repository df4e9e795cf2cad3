import type { CampaignSettingKey, CampaignStatus, RecipientState, WaitReason } from "@prosa/contract";
import type { ColumnType, Generated, GeneratedAlways } from "kysely";

export interface CampaignsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  status: Generated<CampaignStatus>;
  confirmation: Generated<boolean>;
  /** The five variants; an empty one is not used. */
  messages: Generated<string[]>;
  confirmation_messages: Generated<string[]>;
  scheduled_at: Date | null;
  started_at: Date | null;
  completed_at: Date | null;
  contact_list_id: number | null;
  tag_id: number | null;
  file_list_id: number | null;
  /** The storage key of the attached file; with it come name, MIME type (detected from the bytes) and size in bytes. */
  media_path: string | null;
  media_name: string | null;
  media_type: string | null;
  media_size: number | null;
  user_id: number | null;
  /** Made by the client for each new one: a request that is sent again with it gets the campaign that it made. */
  request_id: Generated<string | null>;
  created_at: Generated<Date>;
}

export interface CampaignLinesTable {
  company_id: number;
  campaign_id: number;
  connection_id: number;
  position: Generated<number>;
  /** When the next contact is due by this line; null before the start. */
  next_at: Date | null;
  /** Contacts that it has written to, for the longer pauses and the turn of the first texts. */
  handed: Generated<number>;
  /** Contacts that got the message itself, for the turn of its variants. */
  messaged: Generated<number>;
  pause_reason: WaitReason | null;
  paused_until: Date | null;
  /** Whom it wrote to last. */
  last_recipient_id: number | null;
}

export interface CampaignRecipientsTable {
  id: Generated<number>;
  company_id: number;
  campaign_id: number;
  position: number;
  contact_list_item_id: number | null;
  contact_id: number | null;
  connection_id: number | null;
  name: string;
  number: string;
  match_number: string;
  email: Generated<string>;
  state: RecipientState;
  reason: string | null;
  variant: number | null;
  confirmation_message_id: number | null;
  message_id: number | null;
  ticket_id: number | null;
  confirmation_requested_at: Date | null;
  confirmed_at: Date | null;
  queued_at: Date | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  answered_at: Date | null;
  readonly search_text: GeneratedAlways<string>;
}

export interface CampaignSettingsTable {
  company_id: number;
  key: CampaignSettingKey;
  value: ColumnType<unknown, string, string>;
}

/** Rows that triggers add: the sum of them is a campaign's count. */
export interface CampaignCountsTable {
  company_id: number;
  campaign_id: number;
  counted: string;
  n: number;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    campaigns: CampaignsTable;
    campaign_lines: CampaignLinesTable;
    campaign_recipients: CampaignRecipientsTable;
    campaign_settings: CampaignSettingsTable;
    campaign_counts: CampaignCountsTable;
  }
}

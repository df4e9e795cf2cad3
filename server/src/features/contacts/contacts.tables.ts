import type { ColumnType, Generated, GeneratedAlways } from "kysely";

export interface ContactsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  /** Digits with country code; null while WhatsApp has shown only a LID, and for groups the group's id. */
  number: string | null;
  email: Generated<string>;
  is_group: Generated<boolean>;
  is_blocked: Generated<boolean>;
  picture_path: string | null;
  picture_checked_at: Date | null;
  extra_info: ColumnType<{ name: string; value: string }[], string | undefined, string>;
  /** True if a user wrote this name; false for the contact's own push name. */
  is_named: Generated<boolean>;
  opted_out_at: Date | null;
  version: Generated<number>;
  /** The number with Brazil's ninth digit, whether WhatsApp's spelling has it or not. */
  readonly number_key: GeneratedAlways<string | null>;
  readonly search_text: GeneratedAlways<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface ContactIdentifiersTable {
  company_id: number;
  connection_id: number;
  kind: "phone" | "lid" | "group";
  value: string;
  contact_id: number;
  /** The number of a contact that was merged into this one; it stays beside the contact's own number. */
  is_alias: Generated<boolean>;
}

/** The numbers of contacts that were merged into another: they lead there on every line, in either spelling (decision 0075). */
export interface ContactAliasesTable {
  company_id: number;
  number_key: string;
  contact_id: number;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    contacts: ContactsTable;
    contact_identifiers: ContactIdentifiersTable;
    contact_aliases: ContactAliasesTable;
  }
}

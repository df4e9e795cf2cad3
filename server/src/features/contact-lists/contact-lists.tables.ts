import type { ContactList, ContactListImport } from "@prosa/contract";
import type { Generated } from "kysely";

export interface ContactListsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  /** Kept by triggers of the items (decision 0194), like the next two. */
  contacts_count: Generated<number>;
  valid_count: Generated<number>;
  invalid_count: Generated<number>;
  check_state: Generated<ContactList["checkState"]>;
  duplicates_removed: Generated<number>;
}

export interface ContactListItemsTable {
  id: Generated<number>;
  company_id: number;
  contact_list_id: number;
  name: string;
  /** Digits with country code, as WhatsApp spells it once it was checked. */
  number: string;
  /** `matchNumber` of it. */
  match_number: string;
  email: string;
  lid: string | null;
  /** Null: not checked yet. */
  is_whatsapp_valid: boolean | null;
  checked_at: Date | null;
  created_at: Generated<Date>;
  /** Generated: name without accents and case, number, e-mail. */
  search_text: Generated<string>;
}

export interface ContactListImportsTable {
  id: Generated<number>;
  company_id: number;
  contact_list_id: number;
  user_id: number | null;
  file_name: string | null;
  /** The uploaded file, until the import has ended. */
  storage_key: string | null;
  is_book: Generated<boolean>;
  state: Generated<ContactListImport["state"]>;
  failure: ContactListImport["failure"];
  total: Generated<number>;
  done: Generated<number>;
  created: Generated<number>;
  known: Generated<number>;
  refused: Generated<number>;
  created_at: Generated<Date>;
  finished_at: Date | null;
}

export interface ContactListRefusedRowsTable {
  company_id: number;
  import_id: number;
  /** Of the file, from 1. */
  line: number;
  name: string;
  number: string;
  reason: ContactListImport["refusedRows"][number]["reason"];
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    contact_lists: ContactListsTable;
    contact_list_items: ContactListItemsTable;
    contact_list_imports: ContactListImportsTable;
    contact_list_refused_rows: ContactListRefusedRowsTable;
  }
}

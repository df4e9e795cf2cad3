import type { ContactList, ContactListItem } from "@prosa/contract";
import type { ListRow } from "./contact-lists.queries.ts";
import type { ItemRow } from "./items.queries.ts";

export function listView(companyId: number, row: ListRow): ContactList {
  return {
    id: row.id,
    name: row.name,
    companyId,
    contactsCount: row.contacts_count,
    validCount: row.valid_count,
    invalidCount: row.invalid_count,
    checkState: row.check_state,
    duplicatesRemoved: row.duplicates_removed,
    createdAt: row.created_at.toISOString(),
  };
}

export function itemView(companyId: number, row: ItemRow): ContactListItem {
  const { id, name, number, email } = row;
  return {
    ...{ id, name, number, email, companyId },
    isWhatsappValid: row.is_whatsapp_valid,
    contactListId: row.contact_list_id,
  };
}

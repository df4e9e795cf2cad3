import type { DomainEvent } from "#server/platform/ctx.ts";

/** A list was added, changed (its counts and the state of its check too) or deleted. */
export function listEvent(what: "created" | "updated" | "deleted", contactListId: number): DomainEvent {
  return { type: `contactList.${what}`, payload: { contactListId } };
}

/** Every number of the list has been checked: a campaign that waits for it may go on. */
export function listChecked(contactListId: number): DomainEvent {
  return { type: "contactList.checked", payload: { contactListId } };
}

export function itemEvent(
  what: "created" | "updated" | "deleted",
  item: { readonly id: number; readonly contact_list_id: number },
): DomainEvent {
  return { type: `contactListItem.${what}`, payload: { itemId: item.id, contactListId: item.contact_list_id } };
}

/** Many items of a list have changed. */
export function itemsChanged(contactListId: number): DomainEvent {
  return { type: "contactListItem.reloaded", payload: { contactListId } };
}

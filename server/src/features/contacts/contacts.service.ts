import { matchNumber, maxExtraInfo, pageSize } from "@prosa/contract";
import type {
  Contact,
  ContactBody,
  ContactChanges,
  ContactDetails,
  ContactSummary,
  QueryOf,
  contacts,
} from "@prosa/contract";
import { recordAudit } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { contactCreated, contactDeleted, contactUpdated } from "./contacts.events.ts";
import {
  deleteAddresses,
  deleteContact,
  findAliasOwner,
  findContact,
  findContacts,
  findLastConnection,
  insertContact,
  lockContact,
  searchContacts,
  findContactPage,
  saveBlocked,
  saveContact,
} from "./contacts.queries.ts";
import type { ContactFields, ContactRow } from "./contacts.queries.ts";
import { mergedExtraInfo } from "./extra-info.ts";
import { contactSummaryView, contactView } from "./contacts.view.ts";

/** Called in the transaction that blocks or unblocks a contact; passed in by the feature that owns the tickets. */
export type OnBlockChanged = (ctx: Ctx, contactId: number, isBlocked: boolean) => Promise<void>;

/** Called in the transaction that deletes a contact, before its row goes and its tickets with it; passed in likewise. */
export type OnDeleted = (ctx: Ctx, contactId: number) => Promise<void>;

export async function listContacts(ctx: Ctx, media: MediaLinks, query: QueryOf<typeof contacts.list>) {
  const { rows, count } = await findContactPage(ctx, query);
  return {
    contacts: rows.map((row) => contactView(media, ctx.companyId, row)),
    count,
    hasMore: query.pageNumber * pageSize.contacts < count,
  };
}

/** Up to 50 contacts for a picker. */
export async function pickContacts(ctx: Ctx, media: MediaLinks, text: string): Promise<ContactSummary[]> {
  return (await searchContacts(ctx, text)).map((row) => contactSummaryView(media, ctx.companyId, row));
}

/** Throws ERR_NO_CONTACT_FOUND. */
export async function getContact(ctx: Ctx, media: MediaLinks, id: number): Promise<Contact> {
  const row = await findContact(ctx, id);
  if (!row) {
    throw notFound(id);
  }
  return contactView(media, ctx.companyId, row);
}

/** A contact with the connection of its last conversation. Throws as getContact. */
export async function getContactDetails(ctx: Ctx, media: MediaLinks, id: number): Promise<ContactDetails> {
  return { ...(await getContact(ctx, media, id)), whatsapp: (await findLastConnection(ctx, id)) ?? null };
}

/** The contacts of these ids that exist, in no order. */
export async function readContactViews(ctx: Ctx, media: MediaLinks, ids: readonly number[]): Promise<Contact[]> {
  return (await findContacts(ctx, ids)).map((row) => contactView(media, ctx.companyId, row));
}

/**
 * Adds a contact; the number was checked before (number-check.ts). Throws ERR_DUPLICATED_CONTACT (C-02), with the contact's id where
 * the number leads to it since a merge.
 */
export async function createContact(ctx: Ctx, media: MediaLinks, body: ContactBody): Promise<Contact> {
  const { name, number, email, extraInfo } = body;
  await refuseAlias(ctx, number);
  const row = await refuseDuplicate(() =>
    insertContact(ctx, { name, number, email, extra_info: JSON.stringify(extraInfo) }),
  );
  ctx.emit(contactCreated(row.id));

  return contactView(media, ctx.companyId, row);
}

/**
 * Is the number another one, which is to be checked? An empty one is none for a contact that is known by its LID alone. Throws
 * ERR_VALIDATION for an empty one of others, and for a group, whose number is WhatsApp's id of it.
 */
export function isOtherNumber(before: Pick<Contact, "number" | "isGroup">, number: string | undefined): boolean {
  if (number === undefined || number === before.number) {
    return false;
  }
  if (before.isGroup || number === "") {
    throw new AppError("ERR_VALIDATION", { fields: { number: before.isGroup ? "Invalid" : "Too Short!" } });
  }
  return true;
}

/**
 * Saves changes. Another number makes the contact another person to WhatsApp, so its addresses are deleted; the first number of one
 * that was known by its LID, or another spelling, does not. Throws as createContact, and ERR_VALIDATION for more extra information than a contact may have, together with what others
 * added.
 */
export async function updateContact(
  ctx: Ctx,
  media: MediaLinks,
  id: number,
  body: Changes<ContactChanges>,
): Promise<Contact> {
  const before = await (body.knownExtraInfo ? lockContact : findContact)(ctx, id);
  if (body.number !== undefined) {
    await refuseAlias(ctx, body.number, id);
  }
  const row = await refuseDuplicate(() =>
    saveContact(ctx, id, columnsOf({ ...body, extraInfo: extraInfoOf(body, before) })),
  );
  if (!before || !row) {
    throw notFound(id);
  }
  if (body.number !== undefined && before.number !== null && matchNumber(before.number) !== matchNumber(body.number)) {
    await deleteAddresses(ctx, id);
  }
  ctx.emit(contactUpdated(id));

  return contactView(media, ctx.companyId, row);
}

/**
 * Blocks or unblocks a contact. Messages to a blocked contact are refused (ERR_CONTACT_BLOCKED), and its waiting tickets
 * close. Throws ERR_NO_CONTACT_FOUND.
 */
export async function blockContact(
  ctx: Ctx,
  media: MediaLinks,
  onBlockChanged: OnBlockChanged,
  { id, isBlocked }: { readonly id: number; readonly isBlocked: boolean },
): Promise<Contact> {
  const before = await findContact(ctx, id);
  const row = await saveBlocked(ctx, id, isBlocked);
  if (!before || !row) {
    throw notFound(id);
  }
  if (before.is_blocked !== isBlocked) {
    await onBlockChanged(ctx, id, isBlocked);
  }
  ctx.emit(contactUpdated(id));

  return contactView(media, ctx.companyId, row);
}

/** Deletes a contact with its conversations. Throws ERR_NO_CONTACT_FOUND. */
export async function removeContact(ctx: Ctx, onDeleted: OnDeleted, id: number): Promise<void> {
  await onDeleted(ctx, id);
  const gone = await deleteContact(ctx, id);
  if (!gone) {
    throw notFound(id);
  }
  ctx.emit(contactDeleted(id));
  // By an id alone nobody knows whom they miss. By the number an erasure finds it, after the person has come back with another id too;
  // without one it would never find the name again.
  await recordAudit(ctx, {
    action: "contact.deleted",
    target: { type: "contact", id, ...(gone.number !== null && { name: gone.name }) },
    contactId: id,
    details: { number: gone.number },
  });
}

/** What is to be saved of the extra information: beside what others saved since `knownExtraInfo` was read. */
function extraInfoOf({ extraInfo, knownExtraInfo }: Changes<ContactChanges>, before: ContactRow | undefined) {
  if (!extraInfo || !knownExtraInfo || !before) {
    return extraInfo;
  }
  const merged = mergedExtraInfo(extraInfo, { known: knownExtraInfo, newest: before.extra_info });
  if (merged.length > maxExtraInfo) {
    throw new AppError("ERR_VALIDATION", { fields: { extraInfo: "Too Long!" } });
  }
  return merged;
}

type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined };

function columnsOf({ name, number, email, extraInfo }: Changes<ContactBody>): Partial<ContactFields> {
  return {
    ...(name !== undefined && { name }),
    ...(number !== undefined && { number }),
    ...(email !== undefined && { email }),
    ...(extraInfo !== undefined && { extra_info: JSON.stringify(extraInfo) }),
  };
}

/** The number of a contact that was merged into another leads to that one (decision 0075); its own it may take back as its number. */
async function refuseAlias(ctx: Ctx, number: string, of?: number): Promise<void> {
  const contactId = await findAliasOwner(ctx, number);
  if (contactId !== undefined && contactId !== of) {
    throw new AppError("ERR_DUPLICATED_CONTACT", { contactId });
  }
}

async function refuseDuplicate<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (brokenConstraint(error) === "contacts_one_per_number") {
      throw new AppError("ERR_DUPLICATED_CONTACT", undefined, { cause: error });
    }
    throw error;
  }
}

function notFound(contactId: number): AppError {
  return new AppError("ERR_NO_CONTACT_FOUND", { contactId });
}

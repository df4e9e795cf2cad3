import { Readable } from "node:stream";
import { contactImports, contacts } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { callerGone, enforceSharedLimit, serve } from "#server/platform/http/index.ts";
import type { Api, RequestScope, Upload } from "#server/platform/http/index.ts";
import { companyLocaleOf } from "#server/features/companies/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { deletingIfRefused } from "#server/platform/storage/index.ts";
import {
  blockContact,
  createContact,
  getContact,
  getContactDetails,
  isOtherNumber,
  listContacts,
  pickContacts,
  removeContact,
  updateContact,
} from "./contacts.service.ts";
import type { OnBlockChanged, OnDeleted } from "./contacts.service.ts";
import { exportContacts } from "./export/index.ts";
import { cancelImport, columnsOf, getLatestImport, previewImport, startImport, storeSheet } from "./import/index.ts";
import { mergeContacts, undoContactMerge } from "./people/index.ts";
import type { ContactMergeParticipants } from "./people/index.ts";
import { verifyNumber } from "./number-check.ts";
import type { CheckNumber } from "./number-check.ts";

export interface ContactsRouteDeps {
  readonly checkNumber: CheckNumber;
  readonly mergeParticipants: ContactMergeParticipants;
  readonly onBlockChanged: OnBlockChanged;
  readonly onDeleted: OnDeleted;
}

export function contactsRoutes(api: Api, deps: ContactsRouteDeps): void {
  const { checkNumber, mergeParticipants, onBlockChanged, onDeleted } = deps;
  const { media } = api.services;

  serve(api, contacts.list, (ctx, { query }) => listContacts(ctx, media, query));
  serve(api, contacts.lookup, (ctx, { query }) => pickContacts(ctx, media, query.searchParam || query.name || ""));
  serve(api, contacts.get, (ctx, { params }) => getContactDetails(ctx, media, params.id));

  // The number check asks WhatsApp outside the transaction: it may take seconds.
  serve(
    api,
    contacts.create,
    async (edge, { body }) => {
      const number = await verifyNumber(edge, checkNumber, body.number);
      return edge.inCompanyOnce((ctx) => createContact(ctx, media, { ...body, number }));
    },
    { transaction: "once" },
  );
  serve(
    api,
    contacts.update,
    async (edge, { params, body }) => {
      const before = await edge.read((ctx) => getContact(ctx, media, params.id));
      const number = isOtherNumber(before, body.number)
        ? await verifyNumber(edge, checkNumber, body.number ?? "")
        : undefined;
      return edge.inCompany((ctx) => updateContact(ctx, media, params.id, { ...body, number }));
    },
    { transaction: "none" },
  );

  serve(api, contacts.block, (ctx, { params, body }) =>
    blockContact(ctx, media, onBlockChanged, { id: params.id, isBlocked: body.blocked }),
  );
  serve(api, contacts.merge, (ctx, { params, body }) =>
    mergeContacts(ctx, media, mergeParticipants, { keptId: params.id, goneId: body.contactId }),
  );
  serve(api, contacts.undoMerge, (ctx, { params }) => undoContactMerge(ctx, media, mergeParticipants, params.id));

  serve(api, contacts.remove, async (ctx, { params }) => {
    await removeContact(ctx, onDeleted, params.id);
    return { message: "Contact deleted" };
  });
}

/** Each import works through a sheet row by row, so attempts are limited per company. */
const importLimit = { max: 10, perSeconds: 600 };
/** A preview only reads; people try several files. */
const previewLimit = { max: 30, perSeconds: 600 };

/** Import and export of contacts. */
export function importExportRoutes(api: Api): void {
  const { storage } = api.services;

  serve(
    api,
    contacts.export,
    async (edge, { reply }) =>
      reply
        .type("text/csv; charset=utf-8")
        .header("content-disposition", 'attachment; filename="contatos.csv"')
        .send(Readable.from(exportContacts(edge))),
    { transaction: "none" },
  );
  serve(
    api,
    contactImports.start,
    async (edge, { files: [file], body, reply }) => {
      const companyId = edge.actor?.companyId ?? 0;
      await enforceSharedLimit(api.services, `contacts-import:${companyId}`, importLimit);
      const caller = { companyId, signal: callerGone(reply) };
      const columns = file && (body.columns ?? (await columnsOf(file, await languageOf(edge), caller)));
      const sheet = file && columns && (await storeSheet(storage, companyId, file, columns));
      const keys = sheet ? [sheet.storageKey] : [];
      return deletingIfRefused(storage, keys, () => edge.inCompany((ctx) => startImport(ctx, sheet)));
    },
    { transaction: "none" },
  );
  serve(
    api,
    contactImports.preview,
    async (edge, { files: [file], reply }) => {
      const companyId = edge.actor?.companyId ?? 0;
      await enforceSharedLimit(api.services, `contacts-preview:${companyId}`, previewLimit);
      return previewImport(requireFile(file), await languageOf(edge), { companyId, signal: callerGone(reply) });
    },
    { transaction: "none" },
  );
  serve(api, contactImports.latest, async (ctx) => ({ import: await getLatestImport(ctx) }));
  serve(api, contactImports.cancel, (ctx, { params }) => cancelImport(ctx, params.id));
}

/** The contract requires the file (`files.required`). */
function requireFile(file: Upload | undefined): Upload {
  if (!file) {
    throw new AppError("ERR_VALIDATION", { fields: { file: "Required" } });
  }
  return file;
}

async function languageOf(edge: RequestScope): Promise<Language> {
  return (await edge.read((ctx) => companyLocaleOf(ctx))).language;
}

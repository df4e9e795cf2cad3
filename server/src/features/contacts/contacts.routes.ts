import { Readable } from "node:stream";
import { contacts } from "@prosa/contract";
import { enforceSharedLimit, serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import {
  blockContact,
  createContact,
  getContact,
  listContacts,
  pickContacts,
  removeContact,
  updateContact,
} from "./contacts.service.ts";
import type { OnBlockChanged } from "./contacts.service.ts";
import { exportContacts } from "./export/index.ts";
import { cancelImport, getLatestImport, startImport, storeSheet } from "./import/index.ts";
import { mergeContacts, undoContactMerge } from "./people/index.ts";
import type { ContactMergeParticipants } from "./people/index.ts";
import { verifyNumber } from "./number-check.ts";
import type { CheckNumber } from "./number-check.ts";

export interface ContactsRouteDeps {
  readonly checkNumber: CheckNumber;
  readonly mergeParticipants: ContactMergeParticipants;
  readonly onBlockChanged: OnBlockChanged;
}

export function contactsRoutes(api: Api, { checkNumber, mergeParticipants, onBlockChanged }: ContactsRouteDeps): void {
  const { media } = api.services;

  serve(api, contacts.list, (ctx, { query }) => listContacts(ctx, media, query));
  serve(api, contacts.lookup, (ctx, { query }) => pickContacts(ctx, media, query.searchParam || query.name || ""));
  serve(api, contacts.get, (ctx, { params }) => getContact(ctx, media, params.id));

  // The number check asks WhatsApp outside the transaction: it may take seconds.
  serve(
    api,
    contacts.create,
    async (edge, { body }) => {
      const number = await verifyNumber(edge, checkNumber, body.number);
      return edge.inCompany((ctx) => createContact(ctx, media, { ...body, number }));
    },
    { transaction: "none" },
  );
  serve(
    api,
    contacts.update,
    async (edge, { params, body }) => {
      const before = await edge.read((ctx) => getContact(ctx, media, params.id));
      const isOther = body.number !== undefined && body.number !== before.number;
      const number = isOther ? await verifyNumber(edge, checkNumber, body.number ?? "") : undefined;
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
    await removeContact(ctx, params.id);
    return { message: "Contact deleted" };
  });
}

/** Each import works through a sheet row by row, so attempts are limited per company. */
const importLimit = { max: 10, perSeconds: 600 };

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
    contacts.import,
    async (edge, { files }) => {
      await enforceSharedLimit(api.services, `contacts-import:${edge.actor?.companyId}`, importLimit);
      const sheet = files[0] && (await storeSheet(storage, edge.actor?.companyId ?? 0, files[0]));
      try {
        return await edge.inCompany((ctx) => startImport(ctx, sheet));
      } catch (error) {
        await (sheet && storage.delete(sheet.storageKey));
        throw error;
      }
    },
    { transaction: "none" },
  );
  serve(api, contacts.latestImport, async (ctx) => ({ import: await getLatestImport(ctx) }));
  serve(api, contacts.cancelImport, (ctx, { params }) => cancelImport(ctx, params.id));
}

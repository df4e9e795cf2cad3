import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { contacts } from "@prosa/contract";
import { limitEverywhere, serve } from "#server/platform/http/index.ts";
import type { Api, Upload } from "#server/platform/http/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import {
  blockContact,
  createContact,
  getContact,
  listContacts,
  pickContacts,
  removeContact,
  updateContact,
} from "./contacts.service.ts";
import { exportContacts } from "./export.service.ts";
import { beginImport, cancelImport, latestImport } from "./imports.service.ts";
import type { StoredSheet } from "./imports.service.ts";
import { mergeContacts, undoMerge } from "./merge.service.ts";
import type { Belongings } from "./people.ts";
import { sheetKindOf } from "./read-sheet.ts";
import { checkedNumber } from "./number-check.ts";
import type { CheckNumber } from "./number-check.ts";

/** A spreadsheet of 50,000 contacts has 3 MB. */
const longestSheetBytes = 20_000_000;

export interface ContactsRouteDeps {
  readonly checkNumber: CheckNumber;
  readonly belongings: Belongings;
}

export function contactsRoutes(api: Api, { checkNumber, belongings }: ContactsRouteDeps): void {
  const { media } = api.services;

  serve(api, contacts.list, (ctx, { query }) => listContacts(ctx, media, query));
  serve(api, contacts.lookup, (ctx, { query }) => pickContacts(ctx, media, query.searchParam || query.name || ""));
  serve(api, contacts.get, (ctx, { params }) => getContact(ctx, media, params.id));

  // WhatsApp is asked outside the transaction: it may take seconds.
  serve(
    api,
    contacts.create,
    async (edge, { body }) => {
      const number = await checkedNumber(edge, checkNumber, body.number);
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
      const number = isOther ? await checkedNumber(edge, checkNumber, body.number ?? "") : undefined;
      return edge.inCompany((ctx) => updateContact(ctx, media, params.id, { ...body, number }));
    },
    { transaction: "none" },
  );

  serve(api, contacts.block, (ctx, { params, body }) =>
    blockContact(ctx, media, belongings, { id: params.id, isBlocked: body.blocked }),
  );
  serve(api, contacts.merge, (ctx, { params, body }) =>
    mergeContacts(ctx, media, belongings, { keptId: params.id, goneId: body.contactId }),
  );
  serve(api, contacts.undoMerge, (ctx, { params }) => undoMerge(ctx, media, belongings, params.id));

  serve(api, contacts.remove, async (ctx, { params }) => {
    await removeContact(ctx, params.id);
    return { message: "Contact deleted" };
  });
}

/** One may mend a sheet and try again, again and again; each is worked through row by row. */
const imports = { max: 10, perSeconds: 600 };

/** Taking contacts in and out: what may be as long as a company's whole address book. */
export function addressBookRoutes(api: Api): void {
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
      await limitEverywhere(api.services, `contacts-import:${edge.actor?.companyId}`, imports);
      const sheet = files[0] && (await storeSheet(storage, edge.actor?.companyId ?? 0, files[0]));
      try {
        return await edge.inCompany((ctx) => beginImport(ctx, sheet));
      } catch (error) {
        await (sheet && storage.delete(sheet.storageKey));
        throw error;
      }
    },
    { transaction: "none" },
  );
  serve(api, contacts.latestImport, async (ctx) => ({ import: await latestImport(ctx) }));
  serve(api, contacts.cancelImport, (ctx, { params }) => cancelImport(ctx, params.id));
}

/** Throws ERR_FILE_TYPE for what is no table, ERR_FILE_TOO_LARGE. */
async function storeSheet(storage: Storage, companyId: number, file: Upload): Promise<StoredSheet> {
  const kind = sheetKindOf(file.contentType, file.name);
  if (!kind) {
    throw new AppError("ERR_FILE_TYPE", { name: file.name });
  }
  if (file.size > longestSheetBytes) {
    throw new AppError("ERR_FILE_TOO_LARGE", { name: file.name });
  }
  const key = storageKey(companyId, "imports", randomUUID());
  await storage.put(key, file.stream(), { contentType: file.contentType });
  return { fileName: file.name.slice(0, 200), storageKey: key, isBook: kind === "book" };
}

import { Readable } from "node:stream";
import { contactListItems, contactLists } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { companyLocaleOf } from "#server/features/companies/index.ts";
import { columnsOf, storeSheet } from "#server/features/contacts/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { callerGone, enforceSharedLimit, serve } from "#server/platform/http/index.ts";
import type { Api, RequestScope } from "#server/platform/http/index.ts";
import { deletingIfRefused } from "#server/platform/storage/index.ts";
import { checkAgain, enqueueNumberCheck } from "./check/index.ts";
import type { ListRow } from "./contact-lists.queries.ts";
import {
  allContactLists,
  createContactList,
  getContactList,
  listContactLists,
  removeContactList,
  renameContactList,
} from "./contact-lists.service.ts";
import { itemView, listView } from "./contact-lists.view.ts";
import { cancelImport, dropSheetsOf, latestImportOf, refusedReport, startImport } from "./import/index.ts";
import { createItem, fillFromContacts, getItem, listItems, removeItem, updateItem } from "./items.service.ts";

export const sheetFolder = "contact-list-imports";
/** Each import works through a sheet row by row, so attempts are limited per company. */
const importLimit = { max: 20, perSeconds: 600 };

export function contactListsRoutes(api: Api): void {
  const view = ({ companyId }: Ctx, row: ListRow) => listView(companyId, row);

  serve(api, contactLists.list, async (ctx, { query }) => {
    const { rows, count, hasMore } = await listContactLists(ctx, query);
    return { records: rows.map((row) => view(ctx, row)), count, hasMore };
  });
  serve(api, contactLists.lookup, async (ctx) => (await allContactLists(ctx)).map((row) => view(ctx, row)));
  serve(api, contactLists.get, async (ctx, { params }) => view(ctx, await getContactList(ctx, params.id)));
  serve(api, contactLists.create, async (ctx, { body }) => view(ctx, await createContactList(ctx, body.name)));
  serve(api, contactLists.update, async (ctx, { params, body }) =>
    view(ctx, await renameContactList(ctx, params.id, body.name)),
  );
  serve(api, contactLists.remove, async (ctx, { params }) => {
    await dropSheetsOf(ctx, params.id);
    await removeContactList(ctx, params.id);
    return { message: "Contact list deleted" };
  });
  serve(api, contactLists.fill, async (ctx, { params, body }) => {
    const { added, known, list } = await fillFromContacts(ctx, params.id, body);
    return { added, known, contactList: view(ctx, list) };
  });
  serve(api, contactLists.check, async (ctx, { params, body }) =>
    view(ctx, await (body.again ? checkAgain : enqueueNumberCheck)(ctx, params.id)),
  );
  itemsRoutes(api);
  importRoutes(api);
}

function itemsRoutes(api: Api): void {
  serve(api, contactListItems.list, async (ctx, { query }) => {
    const { rows, count, hasMore } = await listItems(ctx, query);
    return { contacts: rows.map((row) => itemView(ctx.companyId, row)), count, hasMore };
  });
  serve(api, contactListItems.get, async (ctx, { params }) => itemView(ctx.companyId, await getItem(ctx, params.id)));
  serve(api, contactListItems.create, async (ctx, { body }) => itemView(ctx.companyId, await createItem(ctx, body)));
  serve(api, contactListItems.update, async (ctx, { params, body }) =>
    itemView(ctx.companyId, await updateItem(ctx, params.id, body)),
  );
  serve(api, contactListItems.remove, async (ctx, { params }) => {
    await removeItem(ctx, params.id);
    return { message: "Contact deleted" };
  });
}

function importRoutes(api: Api): void {
  const { storage } = api.services;

  serve(
    api,
    contactLists.upload,
    async (scope, { params, body, files: [file], reply }) => {
      const companyId = scope.actor?.companyId ?? 0;
      // Look first: nobody may fill the disk with sheets for a list that is not theirs.
      await scope.read((ctx) => getContactList(ctx, params.id));
      await enforceSharedLimit(api.services, `contact-lists-import:${companyId}`, importLimit);
      if (!file) {
        throw new AppError("ERR_VALIDATION", { fields: { file: "Required" } });
      }
      const columns =
        body.columns ?? (await columnsOf(file, await languageOf(scope), { companyId, signal: callerGone(reply) }));
      const sheet = await storeSheet(storage, companyId, file, columns, sheetFolder);
      return deletingIfRefused(storage, [sheet.storageKey], () =>
        scope.inCompany((ctx) => startImport(ctx, params.id, sheet)),
      );
    },
    { transaction: "none" },
  );
  serve(api, contactLists.latestImport, async (ctx, { params: { id } }) => {
    await getContactList(ctx, id);
    return { import: await latestImportOf(ctx, id) };
  });
  serve(api, contactLists.cancelImport, async (ctx, { params: { id } }) => {
    await getContactList(ctx, id);
    return { import: await cancelImport(ctx, id) };
  });
  serve(
    api,
    contactLists.refusedRows,
    async (scope, { params: { id }, reply }) => {
      await scope.read((ctx) => getContactList(ctx, id));
      return reply
        .type("text/csv; charset=utf-8")
        .header("content-disposition", 'attachment; filename="recusados.csv"')
        .send(Readable.from(refusedReport(scope, id, await languageOf(scope))));
    },
    { transaction: "none" },
  );
}

async function languageOf(scope: RequestScope): Promise<Language> {
  return (await scope.read((ctx) => companyLocaleOf(ctx))).language;
}

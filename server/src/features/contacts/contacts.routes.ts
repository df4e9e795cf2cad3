import { contacts } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import {
  createContact,
  getContact,
  listContacts,
  pickContacts,
  removeContact,
  updateContact,
} from "./contacts.service.ts";
import { checkedNumber } from "./number-check.ts";
import type { CheckNumber } from "./number-check.ts";

export function contactsRoutes(api: Api, checkNumber: CheckNumber): void {
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

  serve(api, contacts.remove, async (ctx, { params }) => {
    await removeContact(ctx, params.id);
    return { message: "Contact deleted" };
  });
}

import { contacts, messages, tickets } from "@prosa/contract";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { storageKeyOf } from "#server/testing/media.ts";

/** Creates a conversation with one file; returns its storage key. */
async function aFileSent(app: TestApp, company: TestCompany, name: string) {
  const contact = await aContact(company, { name });
  const admin = app.as(company.admin);
  const ticket = await admin.call(tickets.create, { body: { contactId: contact.id, status: "open" } });
  const form = new FormData();
  form.append("medias", new Blob([`the file of ${name}`]), "notes.txt");
  const { body } = await admin.call(messages.send, { params: { ticketId: ticket.body.id }, body: form });
  return { contact, ticketId: ticket.body.id, key: storageKeyOf(app, body[0]!.mediaPath) };
}

test("each night files that no row refers to are deleted, a day after they were stored; others stay (M-06, T-18)", async () => {
  const clock = createMovedClock(new Date());
  const app = await createTestApp({ clock, closeAfterTest: true });
  const { storage } = app.services;
  const [one, two] = [await aCompany(app), await aCompany(app)];
  await Promise.all([aConnection(one), aConnection(two)]);
  const kept = await aFileSent(app, one, "Ana");
  const ofDeletedTicket = await aFileSent(app, one, "Rui");
  const ofDeletedContact = await aFileSent(app, one, "Eva");
  const ofNeighbour = await aFileSent(app, two, "Zé");
  const admin = app.as(one.admin);
  expect((await admin.call(tickets.remove, { params: { id: ofDeletedTicket.ticketId } })).status).toBe(200);
  expect((await admin.call(contacts.remove, { params: { id: ofDeletedContact.contact.id } })).status).toBe(200);
  // an upload whose process died, the reading of a sheet that died, and a file of a folder that nobody keeps
  const upload = storageKey(one.id, "messages", "killed");
  const sheet = storageKey(one.id, "imports", "killed");
  const stranger = storageKey(one.id, "elsewhere", "file");
  for (const key of [upload, sheet, stranger]) {
    await storage.put(key, Buffer.from("x"), { contentType: "text/plain" });
  }
  const all = [kept.key, ofDeletedTicket.key, ofDeletedContact.key, ofNeighbour.key, upload, sheet, stranger];
  const there = async () => {
    const found = await Promise.all(all.map(async (key) => ((await storage.stat(key)) ? [key] : [])));
    return found.flat();
  };
  const theNight = async (days: number) => {
    clock.set(new Date(Date.now() + days * 86_400_000));
    await app.settle();
  };

  await app.settle();
  await theNight(0.9);
  expect(await there()).toEqual(all);
  await theNight(2.1);
  expect(await there()).toEqual([kept.key, ofNeighbour.key, stranger]);
});

test("the URL of a file stops working with its conversation, before the file is deleted (M-04, T-18)", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  const company = await aCompany(app);
  await aConnection(company);
  const { ticketId, key } = await aFileSent(app, company, "Ana");
  const link = app.services.media.link({ companyId: company.id, key, contentType: "text/plain" });
  const look = async () => (await app.as(undefined).get(link)).status;
  expect(await look()).toBe(200);
  await app.as(company.admin).call(tickets.remove, { params: { id: ticketId } });
  expect(await look()).toBe(404);
  expect(await app.services.storage.stat(key)).toBeDefined();
});

test("the URL of a picture stops working with its contact, but not with a merge that can be undone (C-01, C-06)", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  const company = await aCompany(app);
  const [kept, merged, deleted] = [await aContact(company), await aContact(company), await aContact(company)];
  const shown = await Promise.all(
    [kept, merged, deleted].map(async ({ id }) => {
      const key = storageKey(company.id, "pictures", `of-${id}`);
      await app.services.storage.put(key, Buffer.from("x"), { contentType: "image/jpeg" });
      await company.inside(({ db }) => sql`update contacts set picture_path = ${key} where id = ${id}`.execute(db));
      return app.services.media.link({ companyId: company.id, key, contentType: "image/jpeg" });
    }),
  );
  const look = () => Promise.all(shown.map(async (link) => (await app.as(undefined).get(link)).status));
  expect(await look()).toEqual([200, 200, 200]);

  const admin = app.as(company.admin);
  await admin.call(contacts.merge, { params: { id: kept.id }, body: { contactId: merged.id } });
  await admin.call(contacts.remove, { params: { id: deleted.id } });
  expect(await look()).toEqual([200, 200, 404]);
});

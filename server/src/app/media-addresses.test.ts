import { contacts, messages, quickMessages, tickets } from "@prosa/contract";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact } from "#server/testing/factories.ts";

/** What a client of another origin is given, over HTTP and the socket, with a Host header that it forged. */
async function everyAddress(env: Readonly<Record<string, string>>): Promise<{ addresses: string[]; bound: string }> {
  const app = await createTestApp({ env, closeAfterTest: true });
  const company = await aCompany(app);
  await aConnection(company);
  const contact = await aContact(company);
  await company.inside(({ db }) =>
    sql`update contacts set picture_path = ${`company/${company.id}/pictures/a.jpg`} where id = ${contact.id}`.execute(
      db,
    ),
  );
  const admin = app.as(company.admin);
  const bound = await app.listen();
  const socket = await app.connect(company.admin);
  await socket.join("joinTickets", "open");
  const { body: ticket } = await admin.call(tickets.create, { body: { contactId: contact.id, status: "open" } });
  const form = new FormData();
  form.append("medias", new Blob(["a,b\n"]), "dados.csv");
  await admin.call(messages.send, { params: { ticketId: ticket.id }, body: form });
  const { body: quick } = await admin.call(quickMessages.create, { body: { shortcode: "oi", message: "Olá" } });
  const file = new FormData();
  file.append("file", new Blob(["a,b\n"]), "tabela.csv");
  await admin.call(quickMessages.upload, { params: { id: quick.id }, body: file });
  await app.settle();
  await socket.flushed();

  const forged = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
  const answers = await Promise.all(
    [`/messages/${ticket.id}`, `/tickets/${ticket.id}`, "/tickets?status=open&showAll=true"]
      .concat([`/contacts/${contact.id}`, contacts.list.path, quickMessages.list.path])
      .map((path) => admin.get(path, forged)),
  );
  socket.close();
  const texts = [...answers.map(({ text }) => text), JSON.stringify(socket.packets)];
  const found = texts.map((text) => [...text.matchAll(/"([^"]*)\/media\//g)].map(([, origin = ""]) => origin));
  expect(found.map((each) => each.length > 0)).toEqual(texts.map(() => true));
  return { addresses: [...new Set(found.flat())], bound };
}

test("media addresses are absolute, by PUBLIC_URL and never by the request's Host (M-04, N-06)", async () => {
  const { addresses } = await everyAddress({ PUBLIC_URL: "https://desk.example.com" });
  expect(addresses).toEqual(["https://desk.example.com"]);
});

test("a ticket carries its contact's picture under both names; read by itself, what is known of the contact as well (T-23, C-06)", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  const company = await aCompany(app);
  await aConnection(company);
  const admin = app.as(company.admin);
  const extraInfo = [{ name: "CPF", value: "123" }];
  const { id: contactId } = await aContact(company);
  await company.inside(({ db }) =>
    sql`update contacts set extra_info = ${JSON.stringify(extraInfo)}::jsonb, picture_path = ${`company/${company.id}/pictures/a.jpg`}
      where id = ${contactId}`.execute(db),
  );
  const { body: made } = await admin.call(tickets.create, { body: { contactId, status: "open" } });
  const [byId, byUuid, list] = [
    await admin.call(tickets.get, { params: { id: made.id } }),
    await admin.call(tickets.byUuid, { params: { uuid: made.uuid } }),
    await admin.call(tickets.list, { query: { status: "open", showAll: "true" } }),
  ];
  const contact = { urlPicture: expect.stringContaining("/media/"), extraInfo };
  expect([byId.body.contact, byUuid.body.contact]).toMatchObject([contact, contact]);
  expect(byId.body.contact.profilePicUrl).toBe(byId.body.contact.urlPicture);
  const { extraInfo: _left, ...row } = byId.body.contact;
  expect(list.body.tickets.map((ticket) => ticket.contact)).toEqual([row]);
});

test("without PUBLIC_URL they lead to this machine's own port (M-04)", async () => {
  const { addresses, bound } = await everyAddress({});
  expect(addresses).toEqual([bound]);
});

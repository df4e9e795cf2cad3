import type { Connection, Contact, Message, Queue, Ticket } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestCaller } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact, aQueue } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";

/** Other clients of the family are guests (behaviour 1): what they send in their own dress is taken as it is meant. */

let app: TestApp;
let company: TestCompany;
let admin: TestCaller;
let line: Connection;
beforeAll(async () => {
  app = await createTestApp();
  company = await aCompany(app, { isOperator: true, timeZone: "America/Sao_Paulo" });
  admin = app.as(company.admin);
  line = await aConnection(company, { number: "5511933334444" });
});
afterAll(() => app.close());

const empties = ["", "0", "null", "undefined", "false", 0, false, null];

test.each(empties)("the empty id %j is none in every reference of a body (E-03)", async (empty) => {
  const contact = await aContact(company);
  const ticket = await admin.post<Ticket>("/tickets", {
    contactId: String(contact.id),
    queueId: empty,
    userId: empty,
    whatsappId: empty,
    status: "open",
  });
  expect([ticket.status, ticket.body]).toMatchObject([200, { queueId: null, whatsappId: line.id }]);
  const changed = await admin.put(`/tickets/${ticket.body.id}`, {
    status: "closed",
    userId: empty,
    queueId: empty,
    whatsappId: empty,
    useIntegration: empty === "" ? "false" : false,
    promptId: empty,
    integrationId: empty,
  });
  expect([changed.status, changed.body]).toMatchObject([200, { status: "closed", queueId: null }]);

  const queue = await admin.post<Queue>("/queue", {
    name: `Fila ${contact.id}`,
    color: `#${contact.id.toString(16).padStart(6, "0")}`,
    integrationId: empty,
    promptId: empty,
    schedules: [],
  });
  expect([queue.status, queue.body]).toMatchObject([200, { integrationId: null, promptId: null }]);
  const option = { queueId: String(queue.body.id), parentId: empty, title: "Um", option: 1, fileListId: empty };
  expect(await admin.post("/queue-options", option)).toMatchObject({ status: 200, body: { parentId: null } });

  const saved = await admin.put(`/whatsapp/${line.id}`, {
    promptId: empty,
    integrationId: empty,
    transferQueueId: empty,
    token: null,
  });
  expect([saved.status, saved.body]).toMatchObject([200, { promptId: null, integrationId: null }]);
  const user = { name: "Ana", email: `a${contact.id}@example.com`, password: "12345", whatsappId: empty };
  expect(await admin.post("/users", user)).toMatchObject({ status: 200, body: { whatsappId: null } });
  const tag = { name: `Etiqueta ${contact.id}`, userId: empty, kanban: "1" };
  expect(await admin.post("/tags", tag)).toMatchObject({ status: 200, body: { kanban: 1 } });
  const when = { contactId: contact.id, body: "Até amanhã", sendAt: "2099-01-02T12:00:00Z", whatsappId: empty };
  expect(await admin.post("/schedules", when)).toMatchObject({ status: 200 });
});

test("a required id that is empty is refused in a sentence, in each language (E-03)", async () => {
  const missing = { contactId: "", queueId: null, status: "open" };
  const inLanguage = async (language: string) =>
    (await admin.post<{ error: string; message: string }>("/tickets", missing, { "accept-language": language })).body;
  expect(await inLanguage("pt-BR")).toMatchObject({ error: "ERR_VALIDATION", message: "Contato: Obrigatório" });
  expect(await inLanguage("en-US,en;q=0.9")).toMatchObject({ message: "Contact: Required" });
  const cleared = await admin.put("/companies/1", { planId: "" });
  expect([cleared.status, cleared.body]).toMatchObject([400, { message: "Plano: Obrigatório" }]);
  expect(await inLanguage("fr, es-MX;q=0.8, en;q=0.5")).toMatchObject({ message: "Contacto: Obligatorio" });
});

test("numbers where digits are text, and texts where numbers are meant (E-03)", async () => {
  const { admin: owner } = await aCompany(app);
  const contact = await app.as(owner).post<Contact>("/contacts", {
    name: "Beatriz",
    number: 5511944445555,
    email: null,
    extraInfo: [{ name: "Cliente", value: 4711 }],
  });
  expect([contact.status, contact.body]).toMatchObject([
    200,
    { number: "5511944445555", email: "", extraInfo: [{ name: "Cliente", value: "4711" }] },
  ]);
  const quick = { shortcode: 24, message: "Aberto 24 horas", geral: "true", status: 1 };
  expect(await admin.post("/quick-messages", quick)).toMatchObject({
    status: 200,
    body: { shortcode: "24", geral: true, status: true },
  });
  const plan = { name: "Família", users: "5", connections: "", queues: null, value: "1.099,90", useKanban: "false" };
  expect(await admin.post("/plans", plan)).toMatchObject({
    status: 200,
    body: { users: 5, connections: 0, queues: 0, value: 1099.9, useKanban: false },
  });
});

test.each([
  [true, "enabled"],
  ["true", "enabled"],
  [1, "enabled"],
  [false, "disabled"],
  ["disabled", "disabled"],
])("the setting's value %j is %s (E-03)", async (value, expected) => {
  expect(await admin.put("/settings/call", { key: "call", value })).toMatchObject({
    status: 200,
    body: { value: expected },
  });
});

test.each([
  ["enable", "enabled"],
  ["disabled", "desabled"],
  [true, "enabled"],
])("allTicket %j is %s (E-03)", async (allTicket, expected) => {
  const user = { name: "Caio", email: `c${String(allTicket)}@example.com`, password: 123456, allTicket };
  expect(await admin.post("/users", user)).toMatchObject({ status: 200, body: { allTicket: expected } });
});

test.each([
  ["2099-07-01T10:00", "2099-07-01T13:00:00.000Z"],
  ["2099-07-01 10:00:30", "2099-07-01T13:00:30.000Z"],
  ["2099-07-01T10:00:00.000", "2099-07-01T13:00:00.000Z"],
  ["2099-07-01T10:00:00-05:00", "2099-07-01T15:00:00.000Z"],
  ["2099-07-01T10:00Z", "2099-07-01T10:00:00.000Z"],
])("the time %s is the company's where it names no zone (E-03, O-03)", async (sendAt, expected) => {
  const contact = await aContact(company);
  const made = await admin.post("/schedules", { body: "Bom dia!", contactId: contact.id, sendAt });
  expect([made.status, made.body]).toMatchObject([200, { sendAt: expected }]);
});

test("a local time that daylight saving skips is the one after the gap (E-03)", async () => {
  const york = await aCompany(app, { timeZone: "America/New_York" });
  const contact = await aContact(york);
  const made = await app.as(york.admin).post("/schedules", {
    body: "Good night",
    contactId: contact.id,
    sendAt: "2099-03-08T02:30",
  });
  expect([made.status, made.body]).toMatchObject([200, { sendAt: "2099-03-08T07:30:00.000Z" }]);
});

test.each(["2099-02-30T10:00", "2099-02-30T10:00:00Z", "2099-13-01T10:00", "2099-02-30 10:00"])(
  "the day of %s does not exist, and is no later one (E-03, O-03)",
  async (sendAt) => {
    const contact = await aContact(company);
    const made = await admin.post("/schedules", { body: "Bom dia!", contactId: contact.id, sendAt });
    expect([made.status, made.body]).toMatchObject([400, { message: "Data e hora: Valor inválido" }]);
  },
);

test("a day whose second hours come back as empty texts has one range (E-03, G-03)", async () => {
  const queue = (await admin.get<Queue>(`/queue/${(await aQueue(company)).id}`)).body;
  const schedules = queue.schedules.map((each) => ({ ...each, startTime2: "", endTime2: "" }));
  const saved = await admin.put(`/queue/${queue.id}`, { ...queue, schedules });
  expect([saved.status, saved.body]).toMatchObject([200, { schedules: queue.schedules }]);
});

test.each(["0", "", "null", "false", "-1"])("the empty id %j is no filter of a list (E-03, O-03)", async (empty) => {
  const contact = await aContact(company);
  const mine = { body: "Bom dia!", contactId: contact.id, sendAt: "2099-07-01T10:00" };
  expect((await admin.post("/schedules", mine)).status).toBe(200);
  const listed = await admin.get<{ count: number }>(`/schedules?contactId=${empty}`);
  expect([listed.status, listed.body.count]).toEqual([
    200,
    (await admin.get<{ count: number }>("/schedules")).body.count,
  ]);
  const days = "dateStart=2099-07-01T00:00:00.000Z&dateEnd=2099-07-01T23:59";
  expect((await admin.get<{ count: number }>(`/schedules?${days}&contactId=${contact.id}`)).body.count).toBe(1);
});

test("a wrong id in a list of a query is not said to be missing (E-03)", async () => {
  for (const [queueIds, message] of [
    ['["a"]', "Filas: Valor inválido"],
    ["1,2", "Filas: JSON inválido"],
  ]) {
    expect(await admin.get(`/tickets?queueIds=${queueIds}`)).toMatchObject({ status: 400, body: { message } });
  }
});

test("a whole record comes back by PUT, with all that hangs on it (E-03)", async () => {
  const contact = await aContact(company);
  const queue = await aQueue(company);
  const connection = await aConnection(company, { queueIds: [queue.id] });
  for (const path of [`/contacts/${contact.id}`, `/queue/${queue.id}`, `/whatsapp/${connection.id}`]) {
    const record = (await admin.get<Record<string, unknown>>(path)).body;
    const sent = { ...record, user: { id: 1 }, createdAt: "2026-01-01", token: null, greetingMessage: null };
    expect([path, await admin.put(path, sent)]).toMatchObject([path, { status: 200 }]);
  }
});

test.each([
  "/contacts/?searchParam=&pageNumber=1&date=undefined&dateStart=null&dateEnd=",
  "/contacts?pageNumber=&searchParam=undefined",
  "/tickets?pageNumber=1&searchParam=&status=null&showAll=undefined&tags=&users=[]&queueIds=&date=&updatedAt=undefined",
  "/tickets?tags[]=1&tags[]=2&queueIds=1&queueIds=2&users=7&withUnreadMessages=1",
  "/schedules/?contactId=&pageNumber=1&searchParam=",
  "/schedules?contactId=undefined",
  "/dashboard?days=7&date_from=undefined&date_to=null&products=",
])("GET %s is answered (E-03)", async (url) => {
  const answer = await admin.get(url);
  expect([url, answer.status, answer.body]).toMatchObject([url, 200, {}]);
});

test("somebody called Null is found (E-03)", async () => {
  const contact = await aContact(company, { name: "Cristina Null" });
  const found = await admin.get<{ contacts: Contact[] }>("/contacts?searchParam=null");
  expect(found.body.contacts.map(({ id }) => id)).toEqual([contact.id]);
});

const png = () => new Blob([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")], { type: "image/png" });

test.each([
  ["a caption for each", ["Frente", "Verso"], ["Frente", "Verso"]],
  ["the file's own name, which is no caption", ["a.png", "Verso"], ["", "Verso"]],
  ["one body for several files", ["Os dois"], ["Os dois", ""]],
])("a multipart with %s (E-03, M-16)", async (_, bodies, expected) => {
  const contact = await aContact(company);
  const ticket = await admin.post<Ticket>("/tickets", { contactId: contact.id, status: "open" });
  const form = new FormData();
  form.append("fromMe", "true");
  ["a.png", "b.png"].forEach((name, index) => {
    form.append("medias", png(), name);
    const body = bodies[index];
    if (body !== undefined) {
      form.append("body", body);
    }
  });
  const sent = await admin.post<Message[]>(`/messages/${ticket.body.id}`, form);
  expect([sent.status, sent.body]).toMatchObject([200, expected.map((body) => ({ body, fromMe: true }))]);
});

import type { Note } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { feature as ticketsFeature } from "#server/features/tickets/feature.ts";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { feature } from "./feature.ts";
import { moveNotesOfContact, moveNotesOfTicket } from "./index.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk([ticketsFeature, feature]);
});
afterAll(() => desk.app.close());

type TicketRef = { readonly id: number; readonly contactId: number };
const write = (who: Caller, { id, contactId }: TicketRef, note = "aceitar 10% no Pix") =>
  who.post<Note>("/ticket-notes", { note, ticketId: id, contactId });
const read = async (who: Person, query: string) => (await who.get<Note[]>(`/ticket-notes/list?${query}`)).body;

test("a note has its author and time, and the newest is first (T-21)", async () => {
  const agent = await desk.person("user");
  const ticket = await desk.ticket({ status: "open", user: agent });
  await write(agent, ticket, "cliente desde 2024");
  const began = Date.now();
  const { status, body } = await write(agent, ticket);

  expect(status).toBe(200);
  expect(body).toMatchObject({
    note: "aceitar 10% no Pix",
    user: { id: agent.id, name: agent.name },
    ticketId: ticket.id,
    contactId: ticket.contactId,
  });
  expect(Date.parse(body.createdAt)).toBeGreaterThanOrEqual(began);
  const listed = await read(agent, `ticketId=${ticket.id}`);
  expect(listed.map(({ note }) => note)).toEqual(["aceitar 10% no Pix", "cliente desde 2024"]);
});

test("a note of fewer than two letters is refused (T-21)", async () => {
  const agent = await desk.person("user");
  const ticket = await desk.ticket({ status: "open", user: agent });
  expect(await write(agent, ticket, " a ")).toMatchObject({
    status: 400,
    body: { details: { fields: { note: "Too Short!" } } },
  });
});

test("the author and an admin may delete a note, a colleague may not (T-21)", async () => {
  const queueId = await desk.queue();
  const author = await desk.person("user", { queueIds: [queueId] });
  const colleague = await desk.person("user", { queueIds: [queueId] });
  const admin = await desk.person("admin");
  const ticket = await desk.ticket({ queueId });
  const { body: first } = await write(author, ticket);
  const { body: second } = await write(author, ticket);

  expect(await colleague.delete(`/ticket-notes/${first.id}`)).toMatchObject({ status: 403 });
  expect(await author.delete(`/ticket-notes/${first.id}`)).toMatchObject({ status: 200 });
  expect(await admin.delete(`/ticket-notes/${second.id}`)).toMatchObject({ status: 200 });
  expect(await author.delete(`/ticket-notes/${second.id}`)).toMatchObject({ status: 404 });
  expect(await read(author, `ticketId=${ticket.id}`)).toEqual([]);
});

test("the notes of a contact are those of the tickets that the user may see (T-21, T-06)", async () => {
  const queueId = await desk.queue();
  const agent = await desk.person("user", { queueIds: [queueId] });
  const admin = await desk.person("admin");
  const ticket = await desk.ticket({ queueId });
  const [elsewhere] = await desk.rows<{
    id: number;
  }>(`insert into tickets (company_id, connection_id, contact_id, status)
    values (${desk.companyId}, ${await desk.connection()}, ${ticket.contactId}, 'pending') returning id`);
  await write(admin, ticket, "à vista de todos");
  await write(admin, { id: elsewhere!.id, contactId: ticket.contactId }, "de outra fila");

  const query = `contactId=${ticket.contactId}`;
  expect((await read(agent, query)).map(({ note }) => note)).toEqual(["à vista de todos"]);
  expect(await read(admin, query)).toHaveLength(2);
  expect(await agent.get("/ticket-notes/list")).toMatchObject({ status: 400 });
});

test("new and deleted notes are published to open conversations only (T-21)", async () => {
  const queueId = await desk.queue();
  const author = await desk.person("user", { queueIds: [queueId] });
  const ticket = await desk.ticket({ queueId });
  const viewer = await (await desk.person("user", { queueIds: [queueId] })).connect();
  await viewer.join("joinChatBox", ticket.id);
  const elsewhere = await (await desk.person("admin")).connect();
  await elsewhere.join("joinTickets", "pending");
  const event = `company-${desk.companyId}-ticketNote`;

  const { body: note } = await write(author, ticket);
  await desk.app.settle();
  expect(await viewer.next(event)).toMatchObject({ payload: { action: "create", ticketId: ticket.id, note } });

  await author.delete(`/ticket-notes/${note.id}`);
  await desk.app.settle();
  expect(await viewer.next(event)).toMatchObject({
    payload: { action: "delete", ticketId: ticket.id, noteId: note.id },
  });
  await elsewhere.flushed();
  expect(elsewhere.packets.filter((packet) => packet.event === event)).toEqual([]);
  viewer.close();
  elsewhere.close();
});

test("a note for another contact than that of its ticket is refused (T-21)", async () => {
  const agent = await desk.person("user");
  const ticket = await desk.ticket({ status: "open", user: agent });
  const contactId = await desk.contact();
  expect(await write(agent, { id: ticket.id, contactId })).toMatchObject({ status: 404 });
});

test("a note whose answer was lost is sent again under its key and added once (T-21)", async () => {
  const queueId = await desk.queue();
  const agent = await desk.person("user", { queueIds: [queueId] });
  const ticket = await desk.ticket({ queueId });
  const body = { note: "ligou de novo", ticketId: ticket.id, contactId: ticket.contactId };
  const key = { "idempotency-key": crypto.randomUUID() };
  const send = () => agent.post<Note>("/ticket-notes", body, key);
  const [first, ...again] = [...(await Promise.all([send(), send()])), await send()];
  expect(first).toMatchObject({ status: 200, body: { note: "ligou de novo" } });
  expect(again.map((answer) => answer.body)).toEqual([first!.body, first!.body]);
  expect(await read(agent, `ticketId=${ticket.id}`)).toHaveLength(1);
});

test("notes survive the merge of two contacts (W-10)", async () => {
  const agent = await desk.person("admin");
  const from = await desk.ticket();
  const into = await desk.ticket();
  await write(agent, from, "veio junto");

  await desk.within(async (ctx) => {
    await moveNotesOfTicket(ctx, { from: from.id, into: into.id }, into.contactId);
    await moveNotesOfContact(ctx, from.contactId, into.contactId);
  });
  expect(await read(agent, `ticketId=${into.id}`)).toMatchObject([{ note: "veio junto", contactId: into.contactId }]);
});

test("strangers, other companies and users who may not see the ticket are refused (T-21)", async () => {
  const ticket = await desk.ticket({ queueId: await desk.queue() });
  const { body: note } = await write(await desk.person("admin"), ticket);
  const calls = (who: Caller) =>
    Promise.all([
      who.get(`/ticket-notes/list?ticketId=${ticket.id}`),
      write(who, ticket),
      who.delete(`/ticket-notes/${note.id}`),
    ]);
  const statuses = async (who: Caller) => (await calls(who)).map(({ status }) => status);

  expect(await statuses(desk.app.as(undefined))).toEqual([401, 401, 401]);
  expect(await statuses(await (await desk.otherCompany()).person("admin"))).toEqual([404, 404, 404]);
  expect(await statuses(await desk.person("user"))).toEqual([403, 403, 403]);
});

type Caller = Pick<Person, "get" | "post" | "delete">;

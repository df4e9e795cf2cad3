import type { Note, Ticket, TransferTarget, WirePayload } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noPorts, ticketsFeature } from "#server/features/tickets/feature.ts";
import { countStatements } from "#server/platform/db/index.ts";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { feature } from "./feature.ts";
import { addTransferNote } from "./index.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk([ticketsFeature({ ...noPorts, addTransferNote }), feature]);
});
afterAll(() => desk.app.close());

/** Two agents of two queues, each with a socket; the first has an open ticket. */
async function aTransfer() {
  const [sales, support] = [await desk.queue(), await desk.queue()];
  const danilo = await desk.person("user", { queueIds: [sales] });
  const paula = await desk.person("user", { queueIds: [support] });
  const ticket = await desk.ticket({ status: "open", user: danilo, queueId: sales });
  const sockets = { danilo: await danilo.connect(), paula: await paula.connect() };
  const toldTo = async (name: keyof typeof sockets) => {
    await desk.app.settle();
    await sockets[name].flushed();
    const event = `company-${desk.companyId}-ticketTransfer`;
    return sockets[name].packets
      .filter((packet) => packet.event === event)
      .map(({ payload }) => payload as WirePayload<"ticketTransfer">);
  };
  const put = (who: Person, body: object) => who.put<Ticket>(`/tickets/${ticket.id}`, body);
  const notes = async (who: Person) => (await who.get<Note[]>(`/ticket-notes/list?ticketId=${ticket.id}`)).body;
  const close = () => Object.values(sockets).forEach((socket) => socket.close());
  return { sales, support, danilo, paula, ticket, toldTo, put, notes, close };
}

test("a transfer to a colleague keeps its note and tells them, and nobody else (T-14)", async () => {
  const { support, danilo, paula, ticket, toldTo, put, notes, close } = await aTransfer();
  const { status } = await put(danilo, { userId: paula.id, queueId: support, note: " Quer 2 unidades até sexta " });
  expect(status).toBe(200);
  expect(await notes(paula)).toMatchObject([
    { note: "Quer 2 unidades até sexta", user: { id: danilo.id }, ticketId: ticket.id },
  ]);
  expect(await toldTo("paula")).toMatchObject([
    {
      action: "received",
      ticket: { id: ticket.id, userId: paula.id, contact: { id: ticket.contactId } },
      from: { id: danilo.id, name: danilo.name },
      note: "Quer 2 unidades até sexta",
      count: 1,
    },
  ]);
  expect(await toldTo("danilo")).toEqual([]);
  close();
});

test("without a note it works as specified; to a queue, or to oneself, it tells nobody (T-14)", async () => {
  const { sales, support, danilo, paula, toldTo, put, notes, close } = await aTransfer();
  expect((await put(danilo, { userId: paula.id, queueId: support })).status).toBe(200);
  expect(await toldTo("paula")).toMatchObject([{ note: null }]);
  expect((await put(paula, { userId: null, queueId: sales, status: "pending", note: "De volta" })).status).toBe(200);
  expect(await notes(danilo)).toMatchObject([{ note: "De volta" }]);
  expect((await put(danilo, { userId: danilo.id })).status).toBe(200);
  expect(await toldTo("paula")).toHaveLength(1);
  expect(await toldTo("danilo")).toEqual([]);
  close();
});

test("a note goes along to the ticket's own queue, and with an admin who takes the ticket over (T-14)", async () => {
  const { sales, danilo, ticket, toldTo, put, notes, close } = await aTransfer();
  const waits = { userId: null, queueId: sales, status: "pending" };
  expect(await put(danilo, { ...waits, note: "Volta às 14h" })).toMatchObject({
    status: 200,
    body: { status: "pending", userId: null, queueId: sales },
  });
  expect((await put(danilo, { status: "open", userId: danilo.id })).status).toBe(200);

  const admin = await desk.person("admin");
  // As a late accept: who owns it by now is told.
  expect((await put(admin, { status: "open", userId: admin.id })).body).toMatchObject({ error: "ERR_TICKET_TAKEN" });
  expect(await put(admin, { userId: admin.id, note: "Sigo eu" })).toMatchObject({
    status: 200,
    body: { id: ticket.id, status: "open", userId: admin.id, queueId: sales },
  });
  expect(await notes(admin)).toMatchObject([{ note: "Sigo eu" }, { note: "Volta às 14h" }]);
  expect([await toldTo("danilo"), await toldTo("paula")]).toEqual([[], []]);
  close();
});

test("a transfer that is refused leaves no note, and no other change takes one (T-14)", async () => {
  const { danilo, paula, put, notes, toldTo, close } = await aTransfer();
  expect((await put(danilo, { userId: 99_999_999, note: "Para ninguém" })).status).toBe(404);
  expect((await put(paula, { userId: paula.id, note: "É minha" })).status).toBe(403);
  expect((await put(danilo, { userId: paula.id, note: "a" })).status).toBe(400);
  expect(await put(danilo, { status: "closed", note: "Fim" })).toMatchObject({
    status: 400,
    body: { details: { fields: { note: expect.any(String) } } },
  });
  expect(await notes(danilo)).toEqual([]);
  expect(await toldTo("paula")).toEqual([]);
  close();
});

test("whom a ticket may go to: everybody, with presence and as many open tickets as one may see (T-14, T-06)", async () => {
  const other = await desk.otherCompany();
  const [sales, support] = [await other.queue(), await other.queue()];
  const agent = await other.person("user", { queueIds: [sales] });
  const near = await other.person("user", { queueIds: [sales, support] });
  const far = await other.person("user", { queueIds: [support] });
  const admin = await other.person("admin");
  await other.rows(`insert into user_queues (company_id, user_id, queue_id) values
    (${other.companyId}, ${agent.id}, ${sales}), (${other.companyId}, ${near.id}, ${sales}),
    (${other.companyId}, ${near.id}, ${support}), (${other.companyId}, ${far.id}, ${support})`);
  await other.ticket({ status: "open", user: near, queueId: sales });
  await other.ticket({ status: "open", user: near, queueId: support });
  await other.ticket({ status: "open", user: far, queueId: support });
  await other.ticket({ status: "closed", queueId: sales });

  const seenBy = async (who: Person) => {
    const { statements, result } = await countStatements(() => who.get<TransferTarget[]>("/tickets/transfer-targets"));
    expect(
      statements.filter((text) => /\bselect\b/.test(text) && /\b(users|tickets)\b/.test(text)).length,
    ).toBeLessThan(4);
    return new Map(result.body.map(({ id, openTickets }) => [id, openTickets]));
  };
  const ofAgent = await seenBy(agent);
  expect([near, far, admin, agent].map(({ id }) => ofAgent.get(id))).toEqual([1, null, null, 0]);
  const ofAdmin = await seenBy(admin);
  expect([near, far, admin, agent].map(({ id }) => ofAdmin.get(id))).toEqual([2, 1, 0, 0]);
  const [first] = (await agent.get<TransferTarget[]>("/tickets/transfer-targets")).body;
  expect(Object.keys(first!).toSorted()).toEqual(["id", "name", "online", "openTickets", "profile", "queues"]);
});

import { wireName } from "@prosa/contract";
import type { Message, WirePayload } from "@prosa/contract";
import { expect, test } from "vitest";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Person } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import type { TestSocket } from "#server/testing/socket.ts";
import { createMessagesFeature } from "./feature.ts";

test("a message and its acks are published to those who may see the ticket, and to nobody else (T-22, M-02, N-06)", async () => {
  const lines = new Map<number, FakeLine>();
  const desk = await aDesk([tickets, createMessagesFeature(() => (id) => lines.get(id)), fakeLinesFeature(lines)]);
  lines.set(desk.connectionId, createFakeLine(desk.connectionId));
  const [mine, foreign] = [await desk.queue(), await desk.queue()];
  const agent = await desk.person("user", { queueIds: [mine] });
  const colleague = await desk.person("user", { queueIds: [mine] });
  const outsider = await desk.person("user", { queueIds: [foreign], allTicket: true });
  const stranger = await (await desk.otherCompany()).person("admin");
  const { id } = await desk.ticket({ status: "open", user: agent, queueId: mine });
  const people = [agent, colleague, outsider, stranger];
  const sockets = await Promise.all(people.map((person) => joinEverything(person, id)));

  const [sent] = (await agent.post<Message[]>(`/messages/${id}`, { body: "olá" })).body;
  await desk.app.settle();

  const received = await Promise.all(sockets.map((socket, index) => packetsOf(socket, people[index]!)));
  for (const packets of received.slice(0, 2)) {
    const [created] = packets;
    expect(created).toMatchObject({
      action: "create",
      message: { id: sent!.id, body: "olá", clientId: sent!.clientId },
      ticket: { id, lastMessage: "olá", lastMessageFromMe: true },
      contact: { id: expect.any(Number) },
    });
    expect(packets.at(-1)).toMatchObject({ action: "update", message: { id: sent!.id, ack: 1 } });
  }
  expect(received.slice(2)).toEqual([[], []]);
  sockets.forEach((socket) => socket.close());
});

test("acks are published to sockets with the conversation open; lists and notifications get new messages only (T-22, M-02)", async () => {
  const lines = new Map<number, FakeLine>();
  const desk = await aDesk([tickets, createMessagesFeature(() => (id) => lines.get(id)), fakeLinesFeature(lines)]);
  lines.set(desk.connectionId, createFakeLine(desk.connectionId));
  const agent = await desk.person("admin");
  const { id } = await desk.ticket({ status: "open", user: agent });
  const reading = await joinEverything(agent, id);
  const elsewhere = await agent.connect();
  await elsewhere.join("joinTickets");
  await elsewhere.join("joinNotification");

  await agent.post(`/messages/${id}`, { body: "olá" });
  await desk.app.settle();

  const actions = async (socket: TestSocket) => (await packetsOf(socket, agent)).map(({ action }) => action);
  expect(await actions(reading)).toContain("update");
  expect(await actions(elsewhere)).toEqual(["create"]);
  [reading, elsewhere].forEach((socket) => socket.close());
});

async function joinEverything(person: Person, ticketId: number): Promise<TestSocket> {
  const socket = await person.connect();
  await socket.join("joinTickets");
  await socket.join("joinNotification");
  await socket.join("joinChatBox", ticketId);
  return socket;
}

async function packetsOf(socket: TestSocket, { companyId }: Person): Promise<WirePayload<"appMessage">[]> {
  await socket.flushed();
  const name = wireName(companyId, "appMessage");
  return socket.packets
    .filter(({ event }) => event.endsWith("-appMessage"))
    .map(({ event, payload }) => {
      expect(event).toBe(name);
      return payload as WirePayload<"appMessage">;
    });
}

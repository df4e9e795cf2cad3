import type { WirePayload } from "@prosa/contract";
import { wireName } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TypingListener } from "#server/features/connections/index.ts";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { sharedSessions, openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { createFakeLine } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import type { TestSocket } from "#server/testing/socket.ts";
import { createMessagesFeature } from "../feature.ts";

type Presence = WirePayload<"ticketPresence">;

const timing = { typing: 300, contactTyping: 300, process: 50_000 };
const lines = new Map<number, FakeLine>();
const listeners: TypingListener[] = [];
const features = [
  tickets,
  createMessagesFeature(
    () => (id) => lines.get(id),
    () => ({ find: (id) => lines.get(id), onTyping: (listener) => void listeners.push(listener) }),
    timing,
  ),
];

let desk: Desk;
/** A second process of the same installation; the first one runs the lines. */
let second: TestApp;
beforeAll(async () => {
  desk = await openDesk(features);
  second = await createTestApp({ features: [sharedSessions(desk), ...features], sameDatabaseAs: desk.app });
  await desk.app.product.parts.find(({ name }) => name === "typing")?.start();
  await Promise.all([desk.app.db.listenNotify.ready(), second.db.listenNotify.ready()]);
});
afterAll(async () => {
  await second.close();
  await desk.app.close();
});

function receivedPresence(socket: TestSocket, { companyId }: Person): Presence[] {
  return socket.packets
    .filter(({ event }) => event === wireName(companyId, "ticketPresence"))
    .map(({ payload }) => payload as Presence);
}

/** Waits until the last presence packet of the socket matches. */
async function expectPresence(socket: TestSocket, person: Person, expected: Partial<Presence>): Promise<void> {
  await expect.poll(() => receivedPresence(socket, person).at(-1)).toMatchObject(expected);
}

/** Waits until any presence packet of the socket matched, even if a later one does not. */
async function expectPresenceOnce(socket: TestSocket, person: Person, expected: Partial<Presence>): Promise<void> {
  await expect
    .poll(() => receivedPresence(socket, person))
    .toContainEqual(expect.objectContaining(expected) as Presence);
}

const viewing = ({ id, name }: Person) => ({ id, name, typing: false });
const typingBy = ({ id, name }: Person) => ({ id, name, typing: true });

async function aConversation() {
  const queueId = await desk.queue();
  const ana = await desk.person("user", { queueIds: [queueId] });
  const bia = await desk.person("user", { queueIds: [queueId] });
  const number = `5511${ana.id}0${bia.id}00000`;
  const ticket = await desk.ticket({ queueId, status: "open", user: ana, number });
  const line = createFakeLine(desk.connectionId);
  lines.set(desk.connectionId, line);
  return { ana, bia, ticket, number, line };
}

describe("presence in a conversation", () => {
  test("agents of two processes see each other once each, until they leave (N-04)", async () => {
    const { ana, bia, ticket } = await aConversation();
    const first = await ana.connect();
    await first.join("joinChatBox", ticket.id);
    await expectPresence(first, ana, { ticketId: ticket.id, viewers: [viewing(ana)] });

    const other = await bia.connect(second);
    await other.join("joinChatBox", ticket.id);
    const again = await bia.connect();
    await again.join("joinChatBox", ticket.id);
    await expectPresence(first, ana, { viewers: [viewing(ana), viewing(bia)] });
    await expectPresence(other, bia, { viewers: [viewing(ana), viewing(bia)] });

    again.close();
    other.close();
    await expectPresence(first, ana, { viewers: [viewing(ana)] });
    first.close();
  });

  test("typing is shown in the other process, and expires", async () => {
    const { ana, bia, ticket } = await aConversation();
    const first = await ana.connect();
    const other = await bia.connect(second);
    await first.join("joinChatBox", ticket.id);
    await other.join("joinChatBox", ticket.id);

    first.io.emit("typing", ticket.id, true);
    await expectPresenceOnce(other, bia, { viewers: [typingBy(ana), viewing(bia)] });
    await expectPresence(other, bia, { viewers: [viewing(ana), viewing(bia)] });
    first.close();
    other.close();
  });

  test("typing is sent to the contact by the owner of the line, and so is its end", async () => {
    const { ana, ticket, number, line } = await aConversation();
    const socket = await ana.connect(second);
    await socket.join("joinChatBox", ticket.id);
    const chat = { kind: "phone", value: number };

    socket.io.emit("typing", ticket.id, true);
    socket.io.emit("typing", ticket.id, true);
    await expect
      .poll(() => line.typing)
      .toEqual([
        { chat, isTyping: true },
        { chat, isTyping: false },
      ]);
    socket.close();
  });

  test("the typing of a contact is shown in every process, and expires", async () => {
    const { ana, ticket, number } = await aConversation();
    const socket = await ana.connect(second);
    await socket.join("joinChatBox", ticket.id);
    await expectPresence(socket, ana, { contactTyping: false });

    listeners.forEach((listener) => listener(desk.companyId, desk.connectionId, { phone: number, lid: null }, true));
    await expectPresenceOnce(socket, ana, { contactTyping: true });
    await expectPresence(socket, ana, { contactTyping: false });
    socket.close();
  });

  test("no presence event is stored", async () => {
    const { rows } = await sql<{ type: string }>`
      select type from event_log where type like '%presence%' or type like '%typing%'`.execute(desk.app.db.system);
    // Only whether a user is online is stored: behaviour 2.
    expect(rows.filter(({ type }) => type !== "user.presence")).toEqual([]);
  });
});

describe("a user who may not see the ticket", () => {
  test("gets no presence and is not shown as typing, in this company or another (N-06)", async () => {
    const { ana, bia, ticket, line } = await aConversation();
    const stranger = await desk.person("user", { queueIds: [await desk.queue()] });
    const neighbour = await (await desk.otherCompany()).person("admin");
    const socket = await ana.connect();
    await socket.join("joinChatBox", ticket.id);
    const outside = await Promise.all([stranger.connect(), neighbour.connect(second)]);
    for (const each of outside) {
      expect(await each.join("joinChatBox", ticket.id)).toBe(false);
      each.io.emit("typing", ticket.id, true);
      each.io.emit("typing", "nonsense");
      await each.flushed();
    }

    // A later event has arrived, so the earlier ones are not merely late.
    const late = await bia.connect(second);
    await late.join("joinChatBox", ticket.id);
    await expectPresence(socket, ana, { viewers: [viewing(ana), viewing(bia)] });
    for (const each of outside) {
      await each.flushed();
      expect(each.packets.filter(({ event }) => event.endsWith("-ticketPresence"))).toEqual([]);
      each.close();
    }
    expect(receivedPresence(socket, ana).flatMap(({ viewers }) => viewers.filter(({ typing }) => typing))).toEqual([]);
    expect(line.typing).toEqual([]);
    socket.close();
    late.close();
  });

  test("the typing of an agent who may only see the ticket is not sent to the contact", async () => {
    const { bia, ana, ticket, line } = await aConversation();
    const socket = await bia.connect();
    await socket.join("joinChatBox", ticket.id);

    socket.io.emit("typing", ticket.id, true);
    await expectPresenceOnce(socket, bia, { viewers: [typingBy(bia)] });
    await desk.app.services.pubsub.flush();
    expect(line.typing).toEqual([]);
    expect(ana.id).not.toBe(bia.id);
    socket.close();
  });
});

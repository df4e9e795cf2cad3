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

type Presence = WirePayload<"presence">;

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
/** Another process of the same installation; the first one runs the lines. */
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

function told(socket: TestSocket, { companyId }: Person): Presence[] {
  return socket.packets
    .filter(({ event }) => event === wireName(companyId, "presence"))
    .map(({ payload }) => payload as Presence);
}

/** Waits until the last picture that the socket was told is this one. */
async function expectPicture(socket: TestSocket, person: Person, picture: Partial<Presence>): Promise<void> {
  await expect.poll(() => told(socket, person).at(-1)).toMatchObject(picture);
}

/** Waits until the socket was told this picture, even if it has changed again since. */
async function expectOnce(socket: TestSocket, person: Person, picture: Partial<Presence>): Promise<void> {
  await expect.poll(() => told(socket, person)).toContainEqual(expect.objectContaining(picture) as Presence);
}

const looking = ({ id, name }: Person) => ({ id, name, typing: false });
const writing = ({ id, name }: Person) => ({ id, name, typing: true });

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

describe("who else is here", () => {
  test("two agents of two processes see each other, each once, come and go (N-04)", async () => {
    const { ana, bia, ticket } = await aConversation();
    const first = await ana.connect();
    await first.join("joinChatBox", ticket.id);
    await expectPicture(first, ana, { ticketId: ticket.id, viewers: [looking(ana)] });

    const other = await bia.connect(second);
    await other.join("joinChatBox", ticket.id);
    const again = await bia.connect();
    await again.join("joinChatBox", ticket.id);
    await expectPicture(first, ana, { viewers: [looking(ana), looking(bia)] });
    await expectPicture(other, bia, { viewers: [looking(ana), looking(bia)] });

    again.close();
    other.close();
    await expectPicture(first, ana, { viewers: [looking(ana)] });
    first.close();
  });

  test("typing is seen in the other process, and ends by itself", async () => {
    const { ana, bia, ticket } = await aConversation();
    const first = await ana.connect();
    const other = await bia.connect(second);
    await first.join("joinChatBox", ticket.id);
    await other.join("joinChatBox", ticket.id);

    first.io.emit("typing", ticket.id, true);
    await expectOnce(other, bia, { viewers: [writing(ana), looking(bia)] });
    await expectPicture(other, bia, { viewers: [looking(ana), looking(bia)] });
    first.close();
    other.close();
  });

  test("the contact sees that we write, through the line's owner, and that we stopped", async () => {
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

  test("a contact who types is seen in every process, for a while", async () => {
    const { ana, ticket, number } = await aConversation();
    const socket = await ana.connect(second);
    await socket.join("joinChatBox", ticket.id);
    await expectPicture(socket, ana, { contactTyping: false });

    listeners.forEach((hear) => hear(desk.companyId, desk.connectionId, { phone: number, lid: null }, true));
    await expectOnce(socket, ana, { contactTyping: true });
    await expectPicture(socket, ana, { contactTyping: false });
    socket.close();
  });

  test("nothing of it is stored", async () => {
    const { rows } = await sql<{ type: string }>`
      select type from event_log where type like '%presence%' or type like '%typing%'`.execute(desk.app.db.system);
    // Who is online at all is: behaviour 2.
    expect(rows.filter(({ type }) => type !== "user.presence")).toEqual([]);
  });
});

describe("who may not see the ticket", () => {
  test("hears nothing and cannot be seen to write in it, in this company or another (N-06)", async () => {
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

    // What comes after it has arrived: so it was not merely late.
    const late = await bia.connect(second);
    await late.join("joinChatBox", ticket.id);
    await expectPicture(socket, ana, { viewers: [looking(ana), looking(bia)] });
    for (const each of outside) {
      await each.flushed();
      expect(each.packets.filter(({ event }) => event.endsWith("-presence"))).toEqual([]);
      each.close();
    }
    expect(told(socket, ana).flatMap(({ viewers }) => viewers.filter(({ typing }) => typing))).toEqual([]);
    expect(line.typing).toEqual([]);
    socket.close();
    late.close();
  });

  test("an agent who only looks at a colleague's conversation is not shown to the contact", async () => {
    const { bia, ana, ticket, line } = await aConversation();
    const socket = await bia.connect();
    await socket.join("joinChatBox", ticket.id);

    socket.io.emit("typing", ticket.id, true);
    await expectOnce(socket, bia, { viewers: [writing(bia)] });
    await desk.app.services.pubsub.flush();
    expect(line.typing).toEqual([]);
    expect(ana.id).not.toBe(bia.id);
    socket.close();
  });
});

import { wireName } from "@prosa/contract";
import type { Ticket, TicketStatus, WirePayload } from "@prosa/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import type { TestSocket } from "#server/testing/socket.ts";
import { feature } from "../feature.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk([feature]);
});
afterAll(() => desk.app.close());

type TicketPacket = WirePayload<"ticket">;

async function ticketPackets(socket: TestSocket, person: Person): Promise<TicketPacket[]> {
  await desk.app.settle();
  await socket.flushed();
  const name = wireName(person.companyId, "ticket");
  return socket.packets.filter(({ event }) => event === name).map(({ payload }) => payload as TicketPacket);
}

async function listening(person: Person): Promise<TestSocket> {
  const socket = await person.connect();
  for (const status of ["open", "pending", "closed"]) {
    await socket.join("joinTickets", status);
  }
  return socket;
}

describe("a cached list with its events applied equals a fresh fetch (T-22)", () => {
  const statuses = ["open", "pending", "closed"] as const;

  /** Applies a packet as a browser does: the newest view of a ticket is in the list of its status and owner. */
  class Screen {
    readonly lists: Record<TicketStatus, Map<number, Ticket>> = {
      open: new Map(),
      pending: new Map(),
      closed: new Map(),
    };
    readonly person: Person;
    readonly query: string;

    constructor(person: Person, query: string) {
      this.person = person;
      this.query = query;
    }

    async fetch(): Promise<Record<TicketStatus, unknown[]>> {
      const pages = await Promise.all(
        statuses.map(async (status) => {
          const { body } = await this.person.get<{ tickets: Ticket[] }>(`/tickets?status=${status}&${this.query}`);
          return [status, body.tickets] as const;
        }),
      );
      return Object.fromEntries(pages) as Record<TicketStatus, Ticket[]>;
    }

    async load(): Promise<void> {
      const pages = await this.fetch();
      for (const status of statuses) {
        (pages[status] as Ticket[]).forEach((ticket) => this.lists[status].set(ticket.id, ticket));
      }
    }

    apply(packet: TicketPacket): void {
      if (packet.action === "reload") {
        return;
      }
      const id = packet.action === "update" ? packet.ticket.id : packet.ticketId;
      const known = statuses.map((status) => this.lists[status].get(id)).find((ticket) => ticket !== undefined);
      if (packet.action === "updateUnread") {
        if (known) {
          this.lists[known.status].set(id, { ...known, unreadMessages: 0 });
        }
        return;
      }
      statuses.forEach((status) => this.lists[status].delete(id));
      if (packet.action === "update") {
        const { ticket } = packet;
        const isShown = ticket.status !== "open" || this.query !== "" || ticket.userId === this.person.id;
        if (isShown) {
          this.lists[ticket.status].set(id, ticket);
        }
      }
    }

    shown(): Record<TicketStatus, Ticket[]> {
      const sorted = (tickets: Iterable<Ticket>) => [...tickets].toSorted((a, b) => b.id - a.id);
      return Object.fromEntries(statuses.map((status) => [status, sorted(this.lists[status].values())])) as never;
    }
  }

  test("for every verb, of every user, in any order", async () => {
    const otherDesk = await desk.otherCompany();
    const [a, b] = [await otherDesk.queue(), await otherDesk.queue()];
    const ana = await otherDesk.person("user", { queueIds: [a] });
    const bia = await otherDesk.person("user", { queueIds: [b], allTicket: true });
    const sup = await otherDesk.person("supervisor", { queueIds: [a, b] });
    const admin = await otherDesk.person("admin");
    const screens = [
      new Screen(ana, ""),
      new Screen(bia, ""),
      new Screen(sup, "showAll=true"),
      new Screen(admin, "showAll=true"),
    ];
    const sockets = await Promise.all(screens.map(({ person }) => listening(person)));
    const tickets = [];
    for (const queueId of [a, b, null, a]) {
      tickets.push(await otherDesk.ticket({ queueId, lastMessageAt: new Date(Date.UTC(2026, 0, 1)) }));
    }
    await Promise.all(screens.map((screen) => screen.load()));

    const [first, second, third, fourth] = tickets.map(({ id }) => id);
    const verbs: [Person, number | undefined, object][] = [
      [ana, first, { status: "open", userId: ana.id }],
      [bia, second, { status: "open", userId: bia.id }],
      [bia, third, { status: "open", userId: bia.id }],
      [ana, first, { status: "pending", userId: null }],
      [admin, first, { status: "open", userId: admin.id }],
      [admin, first, { userId: ana.id }],
      [ana, first, { queueId: b, status: "pending", userId: null }],
      [bia, first, { status: "open" }],
      [bia, first, { status: "closed" }],
      [sup, first, { status: "open" }],
      [bia, third, { queueId: a, userId: ana.id }],
      [ana, third, { status: "closed" }],
      [admin, third, { status: "open" }],
      [admin, third, { queueId: null }],
      [ana, fourth, { status: "open", queueId: a }],
    ];
    for (const [who, id, body] of verbs) {
      expect(await who.put(`/tickets/${id}`, body)).toMatchObject({ status: 200 });
    }
    expect(await admin.delete(`/tickets/${second}`)).toMatchObject({ status: 200 });

    for (const [index, screen] of screens.entries()) {
      const packets = await ticketPackets(sockets[index]!, screen.person);
      packets.forEach((packet) => screen.apply(packet));
      const fresh = new Screen(screen.person, screen.query);
      await fresh.load();
      expect(screen.shown()).toEqual(fresh.shown());
    }
    sockets.forEach((socket) => socket.close());
  });
});

test("no socket hears of a ticket that its user may not see, whatever happens to it (N-06)", async () => {
  const [mine, foreign] = [await desk.queue(), await desk.queue()];
  const agent = await desk.person("user", { queueIds: [mine] });
  const owner = await desk.person("user", { queueIds: [foreign] });
  const stranger = await (await desk.otherCompany()).person("admin");
  const { id } = await desk.ticket({ queueId: foreign });
  const sockets = [await listening(agent), await listening(stranger)];
  for (const socket of sockets) {
    await socket.join("joinNotification");
    expect(await socket.join("joinChatBox", id)).toBe(false);
  }

  await owner.put(`/tickets/${id}`, { status: "open" });
  await owner.put(`/tickets/${id}`, { status: "closed" });
  await owner.put(`/tickets/${id}`, { status: "open" });
  await desk.app.settle();

  for (const socket of sockets) {
    await socket.flushed();
    expect(socket.packets.filter(({ event }) => event !== "ready")).toEqual([]);
    socket.close();
  }
});

test("a socket that shows a ticket gets a deletion when it moves to a foreign queue, and hears no more (N-06)", async () => {
  const [mine, foreign] = [await desk.queue(), await desk.queue()];
  const agent = await desk.person("user", { queueIds: [mine] });
  const admin = await desk.person("admin");
  const { id } = await desk.ticket({ status: "open", user: agent, queueId: mine });
  const socket = await agent.connect();
  expect(await socket.join("joinChatBox", id)).toBe(true);

  await agent.put(`/tickets/${id}`, { queueId: foreign, status: "pending", userId: null });
  expect(await ticketPackets(socket, agent)).toEqual([{ action: "delete", ticketId: id }]);
  await admin.put(`/tickets/${id}`, { status: "open" });
  expect(await ticketPackets(socket, agent)).toHaveLength(1);
  socket.close();
});

test("the deletion of a ticket is published to its viewers (T-18)", async () => {
  const admin = await desk.person("admin");
  const { id } = await desk.ticket({ status: "open", user: admin });
  const socket = await admin.connect();
  await socket.join("joinChatBox", id);
  await admin.delete(`/tickets/${id}`);
  expect(await ticketPackets(socket, admin)).toEqual([{ action: "delete", ticketId: id }]);
  socket.close();
});

test("rooms that are not a ticket are ignored (N-04)", async () => {
  const agent = await desk.person("user");
  const socket = await agent.connect();
  for (const argument of [0, -1, 1.5, 99_999_999, 3_000_000_000, "abc", "1 or 1=1"]) {
    expect(await socket.join("joinChatBox", argument)).toBe(false);
  }
  expect(await socket.join("joinTickets", "nonsense")).toBe(false);
  socket.close();
});

test("joins are counted without an argument as well, and a refused one is not counted (N-04)", async () => {
  const [mine, foreign] = [await desk.queue(), await desk.queue()];
  const agent = await desk.person("user", { queueIds: [mine] });
  const admin = await desk.person("admin");
  const { id } = await desk.ticket({ queueId: mine });
  const theirs = await desk.ticket({ queueId: foreign });
  const socket = await agent.connect();
  for (const join of ["joinNotification", "joinNotification", "joinTickets"]) {
    expect(await socket.join(join)).toBe(true);
  }
  await socket.join("leaveTickets", "pending");
  await socket.join("leaveNotification");
  expect(await socket.join("joinChatBox", theirs.id)).toBe(false);
  await admin.put(`/tickets/${id}`, { status: "open" });
  const heard = await ticketPackets(socket, agent);
  expect(heard.length).toBeGreaterThan(0);

  await socket.join("leaveNotification");
  await socket.join("leaveTickets");
  // One join of what became the agent's is left with one leave: the refused one did not count.
  await admin.put(`/tickets/${theirs.id}`, { queueId: mine });
  // Told before the socket joins.
  await desk.app.settle();
  expect(await socket.join("joinChatBox", String(theirs.id))).toBe(true);
  await socket.join("leaveChatBox", theirs.id);
  await admin.put(`/tickets/${id}`, { status: "pending", userId: null });
  await admin.put(`/tickets/${theirs.id}`, { status: "open" });
  expect(await ticketPackets(socket, agent)).toHaveLength(heard.length);
  socket.close();
});

describe("a ticket that leaves a list is told to that list first (T-22, N-04)", () => {
  const actions = async (socket: TestSocket, person: Person) =>
    (await ticketPackets(socket, person)).map((packet) =>
      packet.action === "update" ? `update ${packet.ticket.status}` : packet.action,
    );

  test("a socket in both lists hears delete, then update; one that looks at the ticket hears the update alone", async () => {
    const queue = await desk.queue();
    const [agent, colleague] = [
      await desk.person("user", { queueIds: [queue] }),
      await desk.person("user", { queueIds: [queue] }),
    ];
    const admin = await desk.person("admin");
    const { id } = await desk.ticket({ queueId: queue });
    const both = [await listening(agent), await listening(colleague), await listening(admin)];
    const [pendingOnly, openOnly, viewer] = [await agent.connect(), await agent.connect(), await listening(colleague)];
    await pendingOnly.join("joinTickets", "pending");
    await openOnly.join("joinTickets", "open");
    await viewer.join("joinChatBox", id);

    await agent.put(`/tickets/${id}`, { status: "open" });

    for (const [socket, person] of [
      [both[0]!, agent],
      [both[1]!, colleague],
      [both[2]!, admin],
    ] as const) {
      expect(await actions(socket, person)).toEqual(["delete", "update open"]);
    }
    expect(await actions(pendingOnly, agent)).toEqual(["delete"]);
    expect(await actions(openOnly, agent)).toEqual(["update open"]);
    expect(await actions(viewer, colleague)).toEqual(["update open"]);
    [...both, pendingOnly, openOnly, viewer].forEach((socket) => socket.close());
  });

  test("its former owner is told, who still sees it among the queue's; those who see every ticket get one update", async () => {
    const queue = await desk.queue();
    const [agent, other] = [
      await desk.person("user", { queueIds: [queue] }),
      await desk.person("user", { queueIds: [queue] }),
    ];
    const admin = await desk.person("admin");
    const { id } = await desk.ticket({ status: "open", user: agent, queueId: queue });
    const [mine, all] = [await listening(agent), await listening(admin)];
    await admin.put(`/tickets/${id}`, { userId: other.id });
    expect(await actions(mine, agent)).toEqual(["delete", "update open"]);
    expect(await actions(all, admin)).toEqual(["update open"]);
    [mine, all].forEach((socket) => socket.close());
  });

  test("a replay keeps the order, and the cursor comes with `ready` (N-05)", async () => {
    const queue = await desk.queue();
    const agent = await desk.person("user", { queueIds: [queue] });
    const { id } = await desk.ticket({ queueId: queue });
    const away = await listening(agent);
    const cursor = await away.ready;
    away.close();
    await agent.put(`/tickets/${id}`, { status: "open" });
    await agent.put(`/tickets/${id}`, { status: "closed" });
    await desk.app.settle();
    const joins = ["open", "pending", "closed"].map((status) => ["joinTickets", status] as const);
    const back = await agent.connect(desk.app, { cursor, joins });
    expect(await actions(back, agent)).toEqual(["delete", "update closed"]);
    back.close();
  });
});

test("behind, the updates of a ticket are one of its newest version, and none is missing at the end (T-22)", async () => {
  const late = await openDesk([feature], { closeAfterTest: true });
  const admin = await late.person("admin");
  const tickets = [await late.ticket({}), await late.ticket({}), await late.ticket({})];
  const socket = await listening(admin);
  await late.app.settle();
  await late.app.product.tail.stop();
  const newest = new Map<number, number>();
  for (let round = 0; round < 5; round += 1) {
    for (const { id } of tickets) {
      const status = round % 2 === 0 ? "open" : "pending";
      const { body } = await admin.put<Ticket>(`/tickets/${id}`, { status });
      newest.set(id, body.version);
    }
  }

  await late.app.settle();
  await socket.flushed();
  const packets = socket.packets.filter(({ event }) => event === wireName(admin.companyId, "ticket"));
  const told = packets.map(({ payload }) => payload as TicketPacket);
  const updates = told.flatMap((packet) => (packet.action === "update" ? packet.ticket : []));
  expect(new Map(updates.map(({ id, version }) => [id, version]))).toEqual(newest);
  // Each left the list of the waiting ones, and is in that of the open ones.
  expect(told.map(({ action }) => action)).toEqual(tickets.flatMap(() => ["delete", "update"]));
  expect(packets.map(({ cursor }) => cursor !== undefined)).toEqual([false, false, false, false, false, true]);
  socket.close();
});

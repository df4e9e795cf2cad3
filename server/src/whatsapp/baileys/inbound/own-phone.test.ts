import type { Group, Person } from "@prosa/wa-sim";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { OWNER, aConnectedLine } from "#server/testing/sim-line.ts";
import type { SimLine } from "#server/testing/sim-line.ts";
import type { LineEvent } from "../../port.ts";
import { readMarkEvents } from "./translate-events.ts";

let made: SimLine;
beforeAll(async () => (made = await aConnectedLine({ timing: { readMarksAfterMs: 0 } })));
afterAll(() => made.end());

/** The next event of reading on the phone, after what this does. */
async function readEventAfter(act: () => void): Promise<LineEvent> {
  const before = made.host.events.length;
  act();
  return made.host.waitUntil(() => made.host.events.slice(before).find(({ type }) => type === "read"));
}

async function receivedFrom(by: Person, where: string | Group): Promise<string> {
  const { id } = await by.sends(where, "oi");
  await made.host.waitUntil(() => made.host.messages.find(({ waId }) => waId === id));
  return id;
}

for (const [name, addressing, isSilent] of [
  ["with blue ticks", "lid", false],
  ["without blue ticks", "lid", true],
  ["of a chat by number", "pn", false],
] as const) {
  test(`reading on the phone is an event, ${name} (M-14)`, async () => {
    const ana = made.sim.person(`551198888000${name.length % 10}`, { name: "Ana", addressing });
    const ids = [await receivedFrom(ana, OWNER), await receivedFrom(ana, OWNER)];
    expect(await readEventAfter(() => made.phone.reads(ana, ids, { isSilent }))).toMatchObject({
      chat: addressing === "lid" ? { kind: "lid", value: ana.lid } : { kind: "phone", value: ana.number },
      upTo: ids,
    });
    await made.sim.settled(OWNER);
  });
}

test("reading a group on the phone is an event, and is no receipt for our messages (M-14)", async () => {
  const ana = made.sim.person("5511988880009", { name: "Ana" });
  const group = made.sim.group({ subject: "Obra", members: [ana], line: OWNER });
  const id = await receivedFrom(ana, group);
  const before = made.host.events.length;
  expect(await readEventAfter(() => made.phone.reads(group, [id]))).toMatchObject({
    chat: { kind: "group" },
    upTo: [id],
  });
  expect(made.host.events.slice(before).filter(({ type }) => type === "status")).toEqual([]);
});

test("a chat that is marked as read in the phone's list is read; marked as unread, or at the first sync, it is not", () => {
  const at = new Date(1_770_000_000_000);
  const marked = (unreadCount: number | null) => readMarkEvents([{ id: "7701@lid", unreadCount }], at);
  expect(marked(0)).toMatchObject([{ type: "read", chat: { kind: "lid", value: "7701" }, upTo: at }]);
  expect([...marked(-1), ...marked(null), ...marked(2), ...readMarkEvents([{ id: "7701@lid" }], at)]).toEqual([]);
});

test("a mark that the phone makes in its list of chats comes by the app state (M-14)", async () => {
  const ana = made.sim.person("5511988880010", { name: "Ana" });
  await receivedFrom(ana, OWNER);
  await made.phone.sharesAppStateKey();
  await made.host.waitUntil(() =>
    [...made.host.durable.keys.keys()].some((name) => name.startsWith("app-state-sync-key/")),
  );
  const earliest = Math.floor(Date.now() / 1_000) * 1_000;
  const mark = await readEventAfter(() => void made.phone.marksRead(ana));
  expect(mark).toMatchObject({
    type: "read",
    chat: { kind: "lid", value: ana.lid },
    person: { phone: null, lid: ana.lid },
  });
  // Only the whole second of the notification: the time of its arrival or fetch would include messages that came meanwhile.
  const at = Number(mark.type === "read" && mark.upTo);
  expect([at % 1_000, at >= earliest]).toEqual([0, true]);
});

test("a chat marked as read just after a reconnect is ignored: the mark may be older than the unread messages", async () => {
  const other = await aConnectedLine();
  onTestFinished(() => other.end());
  const ana = other.sim.person("5511988880011", { name: "Ana" });
  await other.phone.sharesAppStateKey();
  await other.host.waitUntil(() =>
    [...other.host.durable.keys.keys()].some((name) => name.startsWith("app-state-sync-key/")),
  );
  await other.phone.marksRead(ana);
  await other.host.waitUntil(() => other.host.durable.keys.has("app-state-sync-version/regular_low"));
  await other.sim.settled(OWNER);
  expect(other.host.events.filter(({ type }) => type === "read")).toEqual([]);
});

test("a note to oneself is in the owner's own chat, under both addresses (W-08)", async () => {
  const { id } = await made.phone.notes("comprar café");
  const note = await made.host.waitUntil(() => made.host.messages.find(({ waId }) => waId === id));
  expect(note).toMatchObject({
    isNote: true,
    fromMe: true,
    person: { phone: OWNER, lid: made.phone.lid },
    content: { kind: "text", text: "comprar café" },
  });
});

import type { Withheld } from "@prosa/wa-sim";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OWNER, aConnectedLine } from "#server/testing/sim-line.ts";
import type { SimLine } from "#server/testing/sim-line.ts";
import type { Content } from "../../port.ts";
import { unavailableEvents } from "./translate-events.ts";

let made: SimLine;
beforeAll(async () => (made = await aConnectedLine()));
afterAll(() => made.end());

const days = 86_400;
const cases: [string, Withheld, number, Content][] = [
  ["a view-once picture", "viewOnce", 0, { kind: "unsupported", what: "viewOnce" }],
  [
    "a view-once picture of which only the phone has a copy",
    "viewOnceFanout",
    0,
    { kind: "unsupported", what: "viewOnce" },
  ],
  ["what Meta's assistant says", "botFanout", 0, { kind: "unsupported", what: "metaAi" }],
  ["what Meta's assistant says, under a secret", "msmsg", 0, { kind: "unsupported", what: "metaAi" }],
  ["a message of a hosted number", "hostedFanout", 0, { kind: "unsupported", what: "hosted" }],
  ["an old message without content", "nothing", 20 * days, { kind: "undecryptable", isAbsent: true }],
  ["a recent message without content", "nothing", 0, { kind: "undecryptable" }],
];

for (const [name, what, ageSeconds, content] of cases) {
  test(`${name} is stored once, before it is acknowledged (W-08)`, async () => {
    const ana = made.sim.person("5511988880001", { name: "Ana" });
    const acknowledged: string[] = [];
    made.host.beforeCommit = () => void acknowledged.push(String(made.phone.devices()[0]?.pending));
    const { id } = ana.withholds(OWNER, what, { ageSeconds });
    const message = await made.host.waitUntil(() => made.host.messages.find(({ waId }) => waId === id));
    expect(message).toMatchObject({
      chat: { kind: "lid", value: ana.lid },
      person: { phone: ana.number, lid: ana.lid },
      fromMe: false,
      pushName: "Ana",
      content,
    });
    expect(Math.abs(Date.now() / 1_000 - ageSeconds - message.at.getTime() / 1_000)).toBeLessThan(600);
    // The first commit of it saw the stanza unconfirmed; afterwards it is.
    expect(acknowledged[0]).not.toBe("0");
    await made.sim.settled(OWNER);
    expect(made.host.messages.filter(({ waId }) => waId === id)).toHaveLength(1);
  });
}

test("a message with content comes after one without, and neither stops the line", async () => {
  const bia = made.sim.person("5511988880002", { name: "Bia" });
  bia.withholds(OWNER, "msmsg");
  const { id } = await bia.sends(OWNER, "oi");
  await made.host.waitUntil(() => made.host.messages.find(({ waId }) => waId === id));
  expect(made.host.notes.filter((note) => note.startsWith("alarm"))).toEqual([]);
});

const me = { id: "5511990000001:3@s.whatsapp.net", lid: "200001:3@lid" };
const empty = (attrs: Record<string, string>, ...content: object[]) =>
  unavailableEvents({ tag: "message", attrs: { id: "A1", t: "1700000000", ...attrs }, content: content as never }, me);
const fanout = { tag: "unavailable", attrs: { type: "view_once_unavailable_fanout" } };
const secret = { tag: "enc", attrs: { type: "msmsg" }, content: new Uint8Array(3) };

test("its event has the right chat in a group, from the own phone and for a streamed answer; none outside of conversations", () => {
  const inGroup = empty(
    { from: "12036302@g.us", participant: "7701@lid", participant_pn: "5511988887777@s.whatsapp.net" },
    fanout,
  );
  expect(inGroup).toMatchObject([
    { message: { chat: { kind: "group", value: "12036302" }, participant: { phone: "5511988887777", lid: "7701" } } },
  ]);
  const own = empty(
    { from: "200001@lid", recipient: "7701@lid", peer_recipient_pn: "5511988887777@s.whatsapp.net" },
    fanout,
  );
  expect(own).toMatchObject([{ message: { fromMe: true, person: { phone: "5511988887777", lid: "7701" } } }]);
  const bits = ["first", "inner", "last"].map((edit, n) => {
    const bot = { tag: "bot", attrs: { edit, ...(n > 0 && { edit_target_id: "A1" }) } };
    return empty({ id: `A${n + 1}`, from: "7701@lid" }, bot, secret);
  });
  expect(bits.flat().map((event) => event.type === "message" && event.message.waId)).toEqual(["A1", "A1", "A1"]);

  expect(empty({ from: "status@broadcast", participant: "7701@lid" }, fanout)).toEqual([]);
  expect(empty({ from: "200001@lid", category: "peer" }, fanout)).toEqual([]);
  expect(empty({ from: "867051314767696@bot" }, secret)).toEqual([]);
  expect(empty({ from: "7701@lid" }, { tag: "enc", attrs: { type: "msg" }, content: new Uint8Array(3) })).toEqual([]);
});

import { randomBytes } from "node:crypto";
import type { Person } from "@prosa/wa-sim";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { OWNER, aConnectedLine } from "#server/testing/sim-line.ts";
import type { SimLine } from "#server/testing/sim-line.ts";
import type { Address } from "../../port.ts";

/** Waits long for every answer. */
let made: SimLine;
/** Gives up a question at once, and waits long for an acknowledgement: what fails fails before it is sent. */
let hasty: SimLine;
let ana: Person;
let people = 0;

beforeAll(async () => {
  const patience = { socket: { defaultQueryTimeoutMs: 60_000 }, ackMs: 60_000, addressMs: 60_000 };
  made = await aConnectedLine({ timing: patience });
  hasty = await aConnectedLine({ timing: { ...patience, deviceLookupMs: 50 } });
  ana = made.sim.person("5511988880001", { name: "Ana" });
  // From here on the own phone's devices are known, under both addresses.
  await send({ kind: "lid", value: ana.lid });
  await send({ kind: "phone", value: ana.number });
});

afterEach(() => {
  made.sim.faults.clear();
  hasty.sim.faults.clear();
});

afterAll(async () => {
  await made.end();
  await hasty.end();
});

async function send(to: Address, { line }: SimLine = made): Promise<string> {
  const waId = `3EB0${randomBytes(9).toString("hex").toUpperCase()}`;
  await line.send(waId, to, { kind: "text", text: "oi" });
  return waId;
}

function somebodyNew({ sim }: SimLine = made): Person {
  people += 1;
  return sim.person(`551198888200${people}`, { name: `Novo ${people}` });
}

const byNumber = ({ number }: Person): Address => ({ kind: "phone", value: number });
const byLid = ({ lid }: Person): Address => ({ kind: "lid", value: lid });
const aGroup = (member: Person, { sim }: SimLine = made): Address => ({
  kind: "group",
  value: sim.group({ subject: "Time", members: [member], line: OWNER }).record.id,
});
/** Acknowledgements of the server, and what the line's journal says of them. */
const sent = ({ sim, host }: SimLine = made) => [
  sim.stats.acks,
  host.events.filter(({ type }) => type === "status").length,
];

const questions = [
  ["device query, to a number", "usync", byNumber],
  ["device query, to a LID", "usync", byLid],
  ["device query, to a group", "usync", aGroup],
  ["key query, to a number", "encrypt/key", byNumber],
  ["question for the group", "w:g2", aGroup],
] as const;

test.each(questions)("with an unanswered %s nothing is sent (M-05)", async (_name, muted, by) => {
  const to = by(somebodyNew(hasty), hasty);
  hasty.sim.faults.muteIq.add(muted);
  const before = sent(hasty);
  await expect(send(to, hasty)).rejects.toMatchObject({ reason: "timeout", canRetry: true });
  expect(sent(hasty)).toEqual(before);
});

test.each(questions)("behind an unanswered %s no other chat waits (M-05)", async (_name, muted, by) => {
  const to = by(somebodyNew());
  made.sim.faults.muteIq.add(muted);
  send(to).catch(() => undefined);
  const other = await send(byLid(ana));
  expect((await ana.receives(({ id }) => id === other)).text).toBe("oi");

  made.sim.faults.clear();
  await send(to);
});

test("a number without WhatsApp rejects with invalidContact, and nothing is sent (M-02)", async () => {
  const before = sent();
  await expect(send({ kind: "phone", value: "5511900000000" })).rejects.toMatchObject({
    reason: "invalidContact",
    canRetry: false,
  });
  expect(sent()).toEqual(before);
});

test("an unknown LID rejects as one without devices, and nothing is sent (M-02)", async () => {
  const before = sent();
  await expect(send({ kind: "lid", value: "999000111222333" })).rejects.toMatchObject({
    reason: "devices",
    canRetry: true,
  });
  expect(sent()).toEqual(before);
});

test("a contact whose keys cannot be fetched rejects as one without devices", async () => {
  made.sim.faults.omitLid = true;
  await expect(send(byNumber(somebodyNew()))).rejects.toMatchObject({ reason: "devices", canRetry: true });
});

test("a group that the line is not in rejects with notAllowed (M-17)", async () => {
  await expect(send({ kind: "group", value: "120363000000000000" })).rejects.toMatchObject({
    reason: "notAllowed",
    canRetry: false,
  });
});

test("many first messages at once query the own devices once (M-05)", async () => {
  const others = Array.from({ length: 6 }, () => somebodyNew());
  made.phone.kick("drop");
  await made.host.waitForState("OPENING");
  await made.host.waitForState("CONNECTED");
  const before = made.sim.stats.deviceQueries;
  await Promise.all(others.map((person) => send(byNumber(person))));
  expect(made.sim.stats.deviceQueries - before).toBeLessThanOrEqual(others.length + 1);
  await Promise.all(others.map((person) => send(byNumber(person))));
  expect(made.sim.stats.deviceQueries - before).toBeLessThanOrEqual(others.length + 1);
});

test("a note to oneself goes out, by number and by LID (M-15)", async () => {
  const before = sent();
  await send({ kind: "phone", value: OWNER });
  await send({ kind: "lid", value: made.phone.lid });
  expect(sent()[0]).toBe(before[0]! + 2);
});

test("a member without devices is queried before the send, and never during it (M-17)", async () => {
  const gone = somebodyNew();
  made.sim.faults.withoutDevices = [gone.number];
  const { record } = made.sim.group({ subject: "Com alguém que saiu", members: [ana, gone], line: OWNER });
  for (let round = 0; round < 2; round += 1) {
    const before = made.sim.stats.deviceQueries;
    const waId = await send({ kind: "group", value: record.id });
    expect((await ana.receives(({ id }) => id === waId)).text).toBe("oi");
    expect(made.sim.stats.deviceQueries - before).toBe(1);
  }

  made.sim.faults.clear();
  const waId = await send({ kind: "group", value: record.id });
  expect((await gone.receives(({ id }) => id === waId)).text).toBe("oi");
});

test("a group in which no other member has a device rejects as one without devices, and nothing is sent (M-17)", async () => {
  const gone = somebodyNew();
  made.sim.faults.withoutDevices = [gone.number];
  const to = aGroup(gone);
  const before = sent();
  await expect(send(to)).rejects.toMatchObject({ reason: "devices", canRetry: true });
  expect(sent()).toEqual(before);
});

test("a message to a group with a new member reaches all members (M-17)", async () => {
  const bia = somebodyNew();
  const before = made.sim.stats.retriesByPersons;
  const { record } = made.sim.group({ subject: "Todos", members: [ana, bia], line: OWNER });
  const waId = await send({ kind: "group", value: record.id });
  expect((await bia.receives(({ id }) => id === waId)).text).toBe("oi");
  expect((await ana.receives(({ id }) => id === waId)).text).toBe("oi");
  expect(made.sim.stats.retriesByPersons).toBe(before);
});

import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OWNER, aConnectedLine, shortTimeouts } from "#server/testing/sim-line.ts";
import type { SimLine } from "#server/testing/sim-line.ts";

/** Sends and receives of one line share the library's locks; neither may wait for a frame that waits for the other. */
let made: SimLine;
vi.setConfig({ testTimeout: 60_000 });

beforeEach(async () => {
  // Patient, so that a busy machine is not taken for a lock: what counts are alarms.
  const socket = { ...shortTimeouts.socket, defaultQueryTimeoutMs: 30_000 };
  made = await aConnectedLine({ timing: { socket, ackMs: 30_000 } });
});

afterEach(async () => {
  await made.end();
});

const newWaId = () => `3EB0${randomBytes(9).toString("hex").toUpperCase()}`;

function people(count: number, from: number) {
  return Array.from({ length: count }, (_, index) => made.sim.person(`551198889${from + index}`));
}

function alarms(): string[] {
  return made.host.notes.filter((note) => note.startsWith("alarm"));
}

function reply(lid: string, text: string): Promise<void> {
  return made.line.send(newWaId(), { kind: "lid", value: lid }, { kind: "text", text });
}

test("replies to fresh chats and messages that cannot be decrypted do not wait for each other (W-06)", async () => {
  const fresh = people(10, 1000);
  const garbled = people(4, 2000);
  for (const [index, person] of [...fresh, ...garbled].entries()) {
    await person.sends(OWNER, `antes ${index}`);
    await made.host.waitForText(`antes ${index}`);
  }
  for (const person of garbled) {
    // Once the line has answered, the contact no longer sends a new session with each message.
    await reply(person.lid, "oi");
  }
  await made.sim.settled(OWNER);

  made.sim.faults.corruptNext = garbled.length;
  await Promise.all([
    ...fresh.map((person, index) => reply(person.lid, `resposta ${index}`)),
    ...garbled.map((person, index) => person.sends(OWNER, `depois ${index}`)),
  ]);
  for (const index of garbled.keys()) {
    await made.host.waitForText(`depois ${index}`);
  }
  for (const [index, person] of fresh.entries()) {
    await person.receives(({ text }) => text === `resposta ${index}`);
  }
  expect(alarms()).toEqual([]);
});

test("keys of the app state that come amid sends hold no frame back (W-06)", async () => {
  const fresh = people(6, 3000);
  for (const [index, person] of fresh.entries()) {
    await person.sends(OWNER, `antes ${index}`);
    await made.host.waitForText(`antes ${index}`);
  }
  const replies = fresh.map((person, index) => reply(person.lid, `resposta ${index}`));
  await made.phone.sharesAppStateKey();
  await Promise.all(replies);
  await made.host.waitUntil(() =>
    [...made.host.durable.keys.keys()].some((name) => name.startsWith("app-state-sync-key/")),
  );
  expect(alarms()).toEqual([]);
});

test("group messages that cannot be decrypted do not hold back replies to fresh chats (M-17)", async () => {
  const fresh = people(10, 4000);
  const members = people(4, 5000);
  const group = made.sim.group({ subject: "Turma", members, line: OWNER });
  for (const [index, person] of fresh.entries()) {
    await person.sends(OWNER, `antes ${index}`);
    await made.host.waitForText(`antes ${index}`);
  }
  for (const [index, person] of members.entries()) {
    await person.sends(group, `no grupo ${index}`);
    await made.host.waitForText(`no grupo ${index}`);
  }

  made.sim.faults.corruptNext = members.length;
  await Promise.all([
    ...fresh.map((person, index) => reply(person.lid, `resposta ${index}`)),
    ...members.map((person, index) => person.sends(group, `ilegível ${index}`)),
  ]);
  for (const index of members.keys()) {
    await made.host.waitForText(`ilegível ${index}`);
  }
  expect(alarms()).toEqual([]);
});

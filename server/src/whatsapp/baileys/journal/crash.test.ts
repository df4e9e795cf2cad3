import type { Person } from "@prosa/wa-sim";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { MemoryHost } from "#server/testing/memory-host.ts";
import { OWNER, aConnectedLine } from "#server/testing/sim-line.ts";
import type { SimLine } from "#server/testing/sim-line.ts";
import type { JournalEntry } from "../../port.ts";

/** The exact crash points (decision 0030). The server redelivers what was not acknowledged. */
let made: SimLine;
let ana: Person;

beforeEach(async () => {
  made = await aConnectedLine();
  ana = made.sim.person("5511988880001", { name: "Ana" });
});

afterEach(async () => {
  await made.end();
});

/** Each brings the contact to where its next message is of that kind. */
const kinds = {
  "pkmsg of a new contact": async () => undefined,
  "pkmsg of a known contact": async () => {
    await ana.sends(OWNER, "antes");
    await made.host.waitForText("antes");
    await made.sim.settled(OWNER);
  },
  msg: async () => {
    await ana.sends(OWNER, "antes");
    await made.host.waitForText("antes");
    await made.line.send("3EB0FIRSTANSWER", { kind: "lid", value: ana.lid }, { kind: "text", text: "oi" });
    await ana.receives(({ text }) => text === "oi");
    await made.sim.settled(OWNER);
  },
};

function holds(text: string) {
  return (entries: readonly JournalEntry[]) =>
    entries.some(
      ({ kind, ...entry }) =>
        kind === "event" &&
        "event" in entry &&
        entry.event.type === "message" &&
        entry.event.message.content.kind === "text" &&
        entry.event.message.content.text === text,
    );
}

for (const [name, prepare] of Object.entries(kinds)) {
  test(`crash before the commit, ${name}: redelivered and stored once, without a retry`, async () => {
    await prepare();
    const isIt = holds("a que conta");
    const { promise: isCrashed, resolve: crashed } = Promise.withResolvers<void>();
    made.host.beforeCommit = (entries) => {
      if (isIt(entries)) {
        crashed();
        throw new Error("the process dies here");
      }
    };
    await ana.sends(OWNER, "a que conta");
    await isCrashed;
    const { host } = made.crash();

    await host.waitForText("a que conta");
    await made.sim.settled(OWNER);
    expect(host.texts.filter((text) => text === "a que conta")).toHaveLength(1);
    expect(made.sim.stats.retriesByLines).toBe(0);
    expect(made.sim.stats.nacks).toEqual({});
  });

  test(`crash after the commit and before the receipt, ${name}: the second copy changes nothing`, async () => {
    await prepare();
    const isIt = holds("a que conta");
    const { promise: isCrashed, resolve: crashed } = Promise.withResolvers<void>();
    made.host.afterCommit = (entries) => {
      if (isIt(entries)) {
        made.line.drop();
        crashed();
      }
    };
    await ana.sends(OWNER, "a que conta");
    await isCrashed;
    expect(made.host.texts.filter((text) => text === "a que conta")).toHaveLength(1);

    const { host } = made.crash();
    await host.waitForState("CONNECTED");
    await made.sim.settled(OWNER);
    expect(made.sim.stats.redelivered).toBeGreaterThan(0);
    expect(made.sim.stats.retriesByLines).toBe(0);
    expect(host.texts.filter((text) => text === "a que conta")).toHaveLength(1);
    expect(host.texts).not.toContain("undecryptable");

    await ana.sends(OWNER, "e a próxima");
    await host.waitForText("e a próxima");
  });
}

test("no retry is requested for redelivered messages that are stored, and new ones behind them arrive (W-08)", async () => {
  const people = Array.from({ length: 20 }, (_, index) => made.sim.person(`55118888${4000 + index}`));
  for (const [index, person] of people.entries()) {
    await person.sends(OWNER, `antes ${index}`);
    await made.host.waitForText(`antes ${index}`);
    await made.line.send(`3EB0ANSWER${index}`, { kind: "lid", value: person.lid }, { kind: "text", text: "oi" });
  }
  await made.sim.settled(OWNER);

  // All of them are in one commit, whose receipts never leave.
  const isHeld = Promise.withResolvers<void>();
  made.host.beforeCommit = () => isHeld.promise;
  for (const [index, person] of people.entries()) {
    await person.sends(OWNER, `guardada ${index}`);
  }
  const { promise: isCrashed, resolve: crashed } = Promise.withResolvers<void>();
  made.host.afterCommit = (entries) => {
    if (holds("guardada 5")(entries)) {
      made.line.drop();
      crashed();
    }
  };
  isHeld.resolve();
  await isCrashed;
  await people[0]!.sends(OWNER, "nova");

  const { host } = made.crash();
  await host.waitForText("nova");
  await made.sim.settled(OWNER);
  expect(host.texts.filter((text) => text.startsWith("guardada"))).toHaveLength(people.length);
  expect(made.sim.stats.retriesByLines).toBe(0);
});

test("a message under an id that is stored in another chat is no redelivery: a retry is requested (W-08)", async () => {
  const bia = made.sim.person("5511988880002", { name: "Bia" });
  await bia.sends(OWNER, "antes");
  await made.host.waitForText("antes");
  await made.line.send("3EB0FIRSTANSWER", { kind: "lid", value: bia.lid }, { kind: "text", text: "oi" });
  await bia.receives(({ text }) => text === "oi");
  await ana.sends(OWNER, "sou a Ana", { id: "SAME" });
  await made.host.waitForText("sou a Ana");
  await made.sim.settled(OWNER);

  made.line.drop();
  made.sim.faults.corruptNext = 1;
  await bia.sends(OWNER, "sou a Bia", { id: "SAME" });
  const { host } = made.crash();
  await host.waitForText("sou a Bia");
});

/** Crashes the line after it stored this text and before the acknowledgement, and reopens it. */
async function crashesAfter(text: string, say: () => Promise<unknown>): Promise<MemoryHost> {
  const { promise: isCrashed, resolve: crashed } = Promise.withResolvers<void>();
  made.host.afterCommit = (entries) => {
    if (holds(text)(entries)) {
      made.line.drop();
      crashed();
    }
  };
  await say();
  await isCrashed;
  const { host } = made.crash();
  await host.waitForState("CONNECTED");
  await made.sim.settled(OWNER);
  expect(made.sim.stats.redelivered).toBeGreaterThan(0);
  return host;
}

test("an id of a stored message is free in every other chat for as long as the line is open (W-08)", async () => {
  const bia = made.sim.person("5511988880002", { name: "Bia" });
  await bia.sends(OWNER, "antes");
  await made.host.waitForText("antes");
  await made.line.send("3EB0FIRSTANSWER", { kind: "lid", value: bia.lid }, { kind: "text", text: "oi" });
  await bia.receives(({ text }) => text === "oi");
  const host = await crashesAfter("sou a Ana", () => ana.sends(OWNER, "sou a Ana", { id: "SAME" }));
  made.sim.faults.corruptNext = 1;
  await bia.sends(OWNER, "sou a Bia", { id: "SAME" });
  await host.waitForText("sou a Bia");
});

test("during a database outage nothing is acknowledged; afterwards everything is stored and acknowledged", async () => {
  made.host.beforeCommit = () => {
    throw new Error("the database is away");
  };
  const sent = await ana.sends(OWNER, "espera");
  await expect(made.sim.settled(OWNER, { timeoutMs: 400 })).rejects.toThrow("not confirmed");
  expect(made.host.texts).toEqual([]);

  made.host.beforeCommit = () => undefined;
  await sent.delivered;
  expect(made.host.texts).toEqual(["espera"]);
});

test("a message whose key is used up and that is not stored is not lost silently", async () => {
  const isIt = holds("perdida");
  const { promise: isCrashed, resolve: crashed } = Promise.withResolvers<void>();
  made.host.beforeCommit = async (entries) => {
    if (isIt(entries)) {
      // What stock Baileys does at a kill: the ratchet is durable, the message is not.
      await made.host.commit(entries.filter(({ kind }) => kind === "keys"));
      crashed();
      throw new Error("the process dies here");
    }
  };
  const { id } = await ana.sends(OWNER, "perdida");
  await isCrashed;
  const { host } = made.crash();

  await host.waitUntil(() =>
    host.messages.find(({ waId, content }) => waId === id && content.kind === "undecryptable"),
  );
  expect(host.messages.find(({ waId }) => waId === id)?.person).toEqual({ phone: ana.number, lid: ana.lid });
});

test("a drop in the middle of a burst loses nothing and stores nothing twice", async () => {
  const people = Array.from({ length: 10 }, (_, index) => made.sim.person(`55118888${2000 + index}`));
  const wanted: string[] = [];
  for (let round = 0; round < 12; round += 1) {
    for (const [index, person] of people.entries()) {
      wanted.push(`m ${index}.${round}`);
      await person.sends(OWNER, `m ${index}.${round}`);
    }
    if (round % 3 === 1) {
      made.phone.kick("drop");
    }
  }
  await made.host.waitUntil(
    () => made.host.texts.filter((text) => text !== "undecryptable").length === wanted.length,
    15_000,
  );
  await made.sim.settled(OWNER, { timeoutMs: 10_000 });
  expect(made.host.texts.toSorted()).toEqual(wanted.toSorted());
  expect(made.host.notes.filter((note) => note.startsWith("alarm"))).toEqual([]);
});

test("kill after kill in a storm: every message is stored exactly once", async () => {
  const people = Array.from({ length: 8 }, (_, index) => made.sim.person(`55118888${3000 + index}`));
  const wanted: string[] = [];
  let current: { host: MemoryHost } = { host: made.host };
  for (let round = 0; round < 15; round += 1) {
    for (const [index, person] of people.entries()) {
      wanted.push(`s ${index}.${round}`);
      await person.sends(OWNER, `s ${index}.${round}`);
    }
    if (round % 2 === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      current = made.crash();
    }
    if (round % 4 === 3) {
      await current.host.waitForState("CONNECTED");
    }
  }
  const { host } = current;
  await host.waitUntil(() => host.texts.filter((text) => text !== "undecryptable").length === wanted.length, 15_000);
  await made.sim.settled(OWNER, { timeoutMs: 10_000 });
  expect(host.texts.toSorted()).toEqual(wanted.toSorted());
});

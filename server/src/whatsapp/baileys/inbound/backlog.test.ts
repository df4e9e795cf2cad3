import { afterEach, beforeEach, expect, test } from "vitest";
import { OWNER, aConnectedLine } from "#server/testing/sim-line.ts";
import type { SimLine } from "#server/testing/sim-line.ts";

let made: SimLine;

beforeEach(async () => {
  made = await aConnectedLine();
});

afterEach(async () => {
  await made.end();
});

/** How many messages each commit stored. */
function messagesByCommit(): number[] {
  const counts: number[] = [];
  made.host.beforeCommit = (entries) => {
    const count = entries.filter((entry) => entry.kind === "event" && entry.event.type === "message").length;
    if (count > 0) {
      counts.push(count);
    }
  };
  return counts;
}

async function whileOffline(work: () => Promise<void>): Promise<void> {
  const connected = () => made.host.states.at(-1)?.status === "CONNECTED";
  made.sim.refuseConnections = true;
  made.phone.kick("drop");
  await made.host.waitUntil(() => !connected());
  await work();
  made.sim.refuseConnections = false;
  await made.host.waitUntil(connected);
}

test("what waited while the line was down is one commit, also of several contacts (W-08, B-01)", async () => {
  const people = Array.from({ length: 4 }, (_, index) => made.sim.person(`55118888${5000 + index}`));
  const commits = messagesByCommit();
  await whileOffline(async () => {
    for (const text of ["oi", "tudo bem?", "queria um sofá", "azul"]) {
      for (const person of people) {
        await person.sends(OWNER, text);
      }
    }
  });
  await made.sim.settled(OWNER);
  expect(commits).toEqual([16]);
});

test("what waited behind a message that cannot be read is not held back for it (W-08)", async () => {
  const [ana, bia] = [made.sim.person("5511988885001"), made.sim.person("5511988885002")];
  await whileOffline(async () => {
    made.sim.faults.corruptNext = 1;
    await ana.sends(OWNER, "de Ana");
    await bia.sends(OWNER, "de Bia");
  });
  await made.host.waitForText("de Bia");
  await made.host.waitForText("de Ana");
  await made.sim.settled(OWNER);
});

test("what arrives live is stored message by message (W-08)", async () => {
  const ana = made.sim.person("5511988885001");
  const commits = messagesByCommit();
  for (const text of ["um", "dois", "três"]) {
    await ana.sends(OWNER, text);
    await made.host.waitForText(text);
  }
  expect(commits).toEqual([1, 1, 1]);
});

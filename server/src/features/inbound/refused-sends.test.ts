import type { Message } from "@prosa/contract";
import type { Person } from "@prosa/wa-sim";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { aRealLine } from "#server/testing/real-line.ts";
import type { RealLine } from "#server/testing/real-line.ts";

const clock = createMovedClock();
let line: RealLine;
let people = 0;

beforeAll(async () => {
  line = await aRealLine(() => ({}), clock);
});

afterEach(() => line.sim.faults.clear());

afterAll(() => line.end());

/** An open ticket in which the customer has written. */
async function aChat(): Promise<{ person: Person; ticketId: number }> {
  people += 1;
  const person = line.sim.person(`551198888100${people}`, { name: `Cliente ${people}` });
  await person.sends(line.owner, "oi");
  await line.sim.settled(line.owner);
  await line.app.settle();
  const { id: ticketId } = await line.ticketOf(person);
  await line.admin.put(`/tickets/${ticketId}`, { status: "open" });
  return { person, ticketId };
}

const say = (ticketId: number, body: string) => line.admin.post<Message[]>(`/messages/${ticketId}`, { body });

const sentTo = async (person: Person) => (await line.conversationWith(person)).find(({ fromMe }) => fromMe);

/** Advances the clock until every retry was made. */
async function untilTried(): Promise<void> {
  for (let round = 0; round < 8; round += 1) {
    await line.app.settle();
    await line.sim.settled(line.owner);
    clock.advance({ minutes: 1 });
  }
}

test("a send that WhatsApp refuses temporarily is retried until it is accepted (M-05)", async () => {
  const { person, ticketId } = await aChat();
  line.sim.faults.nextAckErrors = [479, 429, 500];
  const before = line.sim.stats.refused;
  await say(ticketId, "uma hora chega");
  await untilTried();

  expect(line.sim.stats.refused).toBe(before + 3);
  expect(person.inbox(line.owner).map(({ text }) => text)).toEqual(["uma hora chega"]);
  const sent = await sentTo(person);
  expect(sent?.ack).toBeGreaterThanOrEqual(1);
  expect(sent?.failReason).toBeNull();
});

test.each([
  [429, 5, "tooMany"],
  [479, 5, "devices"],
  [500, 5, "serverFault"],
  [463, 1, "limited"],
  [403, 1, "notAllowed"],
  [406, 1, "invalidContact"],
  [491, 1, "refused"],
])("refused with %i it is tried %i times, and says why: %s (M-02, M-05)", async (code, tries, failReason) => {
  const { person, ticketId } = await aChat();
  line.sim.faults.ackError = code;
  const before = line.sim.stats.refused;
  await say(ticketId, "não vai");
  await untilTried();

  expect(line.sim.stats.refused - before).toBe(tries);
  expect(await sentTo(person)).toMatchObject({ ack: -1, failReason });
});

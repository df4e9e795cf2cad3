import { expect, test } from "vitest";
import type { InboundMessage, JournalEntry, LineEvent } from "#server/whatsapp/port.ts";
import { createQuarantine } from "./quarantine.ts";

const status = (waId: string): LineEvent => ({ type: "status", waIds: [waId], status: 1, reason: null });
const entry = (event: LineEvent): JournalEntry => ({ kind: "event", event });

function aStore(isBad: (event: LineEvent) => boolean, error: Error) {
  const stored: LineEvent[] = [];
  const poison: LineEvent[] = [];
  const take = (events: readonly LineEvent[]) => {
    if (events.some(isBad)) {
      throw error;
    }
    return events;
  };
  const { commit } = createQuarantine({
    async commit(entries) {
      stored.push(...take(entries.flatMap((each) => (each.kind === "event" ? [each.event] : []))));
    },
    async dryRun(event) {
      take([event]);
    },
    isDataError: (problem) => problem instanceof TypeError,
    onPoison: (event) => void poison.push(event),
  });
  return { stored, poison, commit };
}

async function triesUntilItSucceeds(commit: () => Promise<void>, most: number): Promise<number> {
  for (let tries = 1; tries <= most; tries += 1) {
    if (
      await commit().then(
        () => true,
        () => false,
      )
    ) {
      return tries;
    }
  }
  return Infinity;
}

test("a poison event is left out after five attempts, alone", async () => {
  const bad = status("bad");
  const { stored, poison, commit } = aStore((event) => event === bad, new TypeError("a mistake"));
  const entries = [status("a"), bad, status("b")].map(entry);
  expect(await triesUntilItSucceeds(() => commit(entries), 9)).toBe(5);
  expect(stored).toEqual([status("a"), status("b")]);
  expect(poison).toEqual([bad]);
});

test("a poison message is stored without its content, and the bot does not answer it: the bot's turn may be the poison", async () => {
  const message: InboundMessage = {
    waId: "bad",
    chat: { kind: "phone", value: "5511988887777" },
    person: { phone: "5511988887777", lid: null },
    fromMe: false,
    participant: null,
    pushName: "Maria",
    at: new Date(0),
    isOffline: false,
    quotedWaId: null,
    content: { kind: "text", text: "oi" },
  };
  const answered = (event: LineEvent) => event.type === "message" && event.message.isQuarantined !== true;
  const { stored, commit } = aStore(answered, new TypeError("a mistake"));
  expect(await triesUntilItSucceeds(() => commit([entry({ type: "message", message })]), 9)).toBe(5);
  const content = { kind: "unsupported", what: "unreadable" };
  expect(stored).toMatchObject([{ message: { waId: "bad", content, isQuarantined: true } }]);
});

test("an unreachable database is never taken for a poison event, however long it lasts", async () => {
  const { stored, poison, commit } = aStore(() => true, new Error("Connection terminated unexpectedly"));
  expect(await triesUntilItSucceeds(() => commit([entry(status("a"))]), 50)).toBe(Infinity);
  expect({ stored, poison }).toEqual({ stored: [], poison: [] });
});

test("events that pass alone and fail together are stored one by one, and then the keys that they moved", async () => {
  const entries: JournalEntry[] = [
    { kind: "keys", writes: [] },
    entry(status("a")),
    { kind: "creds", value: "credentials" },
    entry(status("b")),
  ];
  const commits: JournalEntry[][] = [];
  const { commit } = createQuarantine({
    async commit(batch) {
      if (batch.filter(({ kind }) => kind === "event").length > 1) {
        throw new TypeError("the second one meets what the first one left");
      }
      commits.push([...batch]);
    },
    dryRun: () => Promise.resolve(),
    isDataError: (problem) => problem instanceof TypeError,
    onPoison: () => expect.unreachable(),
  });
  expect(await triesUntilItSucceeds(() => commit(entries), 9)).toBe(5);
  expect(commits).toEqual([[entries[1]], [entries[3]], [entries[0], entries[2]]]);
});

test("a fault of the database while events are stored one by one is no reason to leave any out", async () => {
  const stored: LineEvent[] = [];
  let isDown = true;
  const { commit } = createQuarantine({
    async commit(batch) {
      const events = batch.flatMap((each) => (each.kind === "event" ? [each.event] : []));
      if (events.length > 1) {
        throw new TypeError("together");
      }
      if (stored.length === 1 && isDown) {
        isDown = false;
        throw new Error("Connection terminated unexpectedly");
      }
      stored.push(...events);
    },
    dryRun: () => Promise.resolve(),
    isDataError: (problem) => problem instanceof TypeError,
    onPoison: () => expect.unreachable(),
  });
  expect(await triesUntilItSucceeds(() => commit([status("a"), status("b")].map(entry)), 19)).toBeLessThan(19);
  expect(stored.at(-1)).toEqual(status("b"));
});

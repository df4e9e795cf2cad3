import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contactListsFeature } from "#server/features/contact-lists/feature.ts";
import { contactsFeature } from "#server/features/contacts/feature.ts";
import { contactMergeParticipants, contactResolver } from "#server/features/inbound/index.ts";
import { messagesApiFeature } from "#server/features/messages-api/feature.ts";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { applyContactBlock, emitTicketsDeleted } from "#server/features/tickets/index.ts";
import { findErasedNumbers } from "#server/features/privacy/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { openHouse } from "#server/testing/guest-house.ts";
import type { Answer, GuestSocket, House } from "#server/testing/guest-house.ts";
import { SendError } from "#server/whatsapp/port.ts";
import { features } from "../features.ts";
import { at, fill } from "./format/kept.ts";
import { mismatches, some } from "./format/kinds.ts";
import type { Heard, Look, SpecifiedRequest } from "./format/table.ts";
import { sectionSeven } from "./section-seven.ts";
import { tables } from "./tables.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse(featuresWithFakeLines);
  // Listens from the start.
  await house.socketOf("stranger");
});
afterAll(() => house.close());

describe.each(Object.entries(tables))("%s", (_, rows) => {
  test.each(rows.map((row) => [row.request, row.proves, row] as const))("%s: %s", (_request, _proves, row) =>
    meet(row),
  );
});

test.each(sectionSeven)("%s has a row that meets it (E-03)", (wanted) => {
  const rows = Object.values(tables).flat();
  expect(rows.filter(({ request }) => isRequest(request, wanted)).length).toBeGreaterThan(0);
});

const lists = sectionSeven.filter((request) => request.startsWith("GET ") && !request.includes("{"));

test.each(lists)("%s: a slash at its end changes nothing (T-23)", async (request) => {
  const path = request.slice("GET ".length);
  const [plain, slashed] = [await house.send("operator", "GET", path), await house.send("operator", "GET", `${path}/`)];
  expect([slashed.status, withoutRequestId(slashed.body)]).toEqual([plain.status, withoutRequestId(plain.body)]);
  expect(plain.status).not.toBe(404);
});

test("no socket was told of another company (N-06)", async () => {
  const { heard } = await house.socketOf("stranger");
  const channels = heard.map(({ channel }) => channel).filter((channel) => channel.startsWith("company-"));
  const own = ["company-announcement", `company-${String(house.kept.get("otherCompany"))}-`];
  expect(channels.filter((channel) => !own.some((name) => channel.startsWith(name)))).toEqual([]);
  expect(channels).toContain("company-announcement");
});

function withoutRequestId(body: unknown): unknown {
  return typeof body === "object" && body !== null && "requestId" in body ? { ...body, requestId: "" } : body;
}

/** Whether a row's request is this one of section 7: same method and path, whatever the values and the query. */
function isRequest(request: string, wanted: string): boolean {
  const steps = (text: string) => text.replace(/\?.*$/u, "").replace(" /", " ").split(/[ /]/u).filter(Boolean);
  const [given, pattern] = [steps(request), steps(wanted)];
  const isValue = (step = "") => step.startsWith("{");
  return (
    given.length === pattern.length &&
    pattern.every(
      (step, index) => step === given[index] || step === "{key}" || (isValue(step) && isValue(given[index])),
    )
  );
}

/** Sends the request, then looks at the answer, at what is true afterwards, and at what sockets received. */
async function meet(row: SpecifiedRequest): Promise<void> {
  await prepare(row);
  const listeners = await Promise.all((row.hears ?? []).map(({ as = "admin" }) => house.socketOf(as)));
  const heardBefore = listeners.map(({ heard }) => heard.length);
  const positions = new Map<string, number>();

  for (let n = 1; n <= (row.times ?? 1); n += 1) {
    house.kept.set("n", 100 + n);
    const answer = await sendRow(row);
    // Before the check, so that one wrong field does not fail all rows after it.
    for (const [name, place] of Object.entries(row.keep ?? {})) {
      house.kept.set(name, keptFrom(answer, place));
    }
    expectAnswer(answer, row);
  }

  await house.settle();
  for (const look of row.after ?? []) {
    await expectToSee(look);
  }
  for (const [index, heard] of (row.hears ?? []).entries()) {
    const stream = `${heard.as ?? "admin"} ${heard.channel}`;
    const since = positions.get(stream) ?? heardBefore[index]!;
    positions.set(stream, await expectToHear(listeners[index]!, heard, since));
  }
}

/** Lets customers write and sockets enter their rooms. */
async function prepare({ arrives = [], joins = [] }: SpecifiedRequest): Promise<void> {
  for (const { from, says } of arrives) {
    await house.receive(from, says);
    await house.settle();
  }
  for (const { as, room, id } of joins) {
    const socket = await house.socketOf(as);
    socket.io.emit(room, String(filled(id)));
    await socket.flushed();
  }
}

function sendRow({ request, as = "admin", send, headers }: SpecifiedRequest): Promise<Answer> {
  const [method = "", path = ""] = request.split(" ");
  return house.send(as, method, filled(path), {
    ...(send !== undefined && { body: filled(send) }),
    ...(headers && { headers: filled(headers) }),
  });
}

/** Fails with every place where the answer is not as the row says. */
function expectAnswer({ status, body }: Answer, { status: wanted, holds }: Pick<SpecifiedRequest, "status" | "holds">) {
  const isWanted = wanted === undefined ? status >= 200 && status < 300 : status === wanted;
  const found = isWanted
    ? holds === undefined
      ? []
      : mismatches(filled(holds), body)
    : [`status: wanted ${wanted ?? "2xx"}, got ${status} ${JSON.stringify(body)}`];
  expect(found, found.join("\n")).toEqual([]);
}

async function expectToSee({ get, as = "admin", status, holds }: Look): Promise<void> {
  const answer = await house.send(as, "GET", filled(get));
  expectAnswer(answer, { ...(status !== undefined && { status }), holds });
}

/** Finds the packet among those from a position on; returns the position after it, where the next one is looked for. */
async function expectToHear(socket: GuestSocket, { channel, holds }: Heard, since: number): Promise<number> {
  await socket.flushed();
  const [name, wanted] = [filled(channel), filled(holds)];
  const isHeard = (packet: GuestSocket["heard"][number]) =>
    packet.channel === name && mismatches(wanted, packet.payload).length === 0;
  const position = socket.heard.findIndex((packet, index) => index >= since && isHeard(packet));
  if (position === -1) {
    const payloads = socket.heard.slice(since).flatMap((packet) => (packet.channel === name ? [packet.payload] : []));
    expect.fail(mismatches(some(wanted), payloads, name).join("\n"));
  }
  return position + 1;
}

/** A value of the answer's body, or of a cookie: `cookie jrt`. */
function keptFrom({ body, headers }: Answer, place: string): unknown {
  const cookie = /^cookie (\w+)$/u.exec(place)?.[1];
  if (cookie === undefined) {
    return at(body, place);
  }
  const set = headers.getSetCookie().find((line) => line.startsWith(`${cookie}=`));
  return set?.split(";")[0];
}

function filled<T>(value: T): T {
  return fill(value, house.kept) as T;
}

/** A number that WhatsApp does not know in this house. */
const unknownNumber = "5511900000000";

/** The product's own features, with lines that need no network. */
function featuresWithFakeLines(lines: ReadonlyMap<number, FakeLine>): Feature[] {
  const replaced = [
    createMessagesFeature(() => (id) => lines.get(id)),
    contactsFeature({
      mergeParticipants: contactMergeParticipants,
      onBlockChanged: applyContactBlock,
      onDeleted: emitTicketsDeleted,
      findErasedNumbers,
      checkNumber: async (_actor, _connection, phone) => (phone === unknownNumber ? null : { phone, lid: null }),
    }),
    messagesApiFeature({
      contacts: contactResolver,
      checkNumber: async (_actor, _connection, phone) => ({ phone, lid: null }),
    }),
    // Nobody answers for these lines, for which a check of numbers would wait half a minute.
    contactListsFeature({
      findErasedNumbers,
      check: { lines: () => ({ call: () => Promise.reject(new SendError("notConnected", true)) }) },
    }),
  ];
  return features.map((feature) => replaced.find(({ name }) => name === feature.name) ?? feature);
}

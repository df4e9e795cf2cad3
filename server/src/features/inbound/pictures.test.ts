import type { Contact, Ticket } from "@prosa/contract";
import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { contactsFeature } from "#server/features/contacts/feature.ts";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { findErasedNumbers } from "#server/features/privacy/index.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createSweep } from "#server/platform/storage/index.ts";
import { applyContactBlock, emitTicketsDeleted } from "#server/features/tickets/index.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { Address, LineEvent, PersonRef } from "#server/whatsapp/port.ts";
import { contactMergeParticipants } from "./contact-merge-participants.ts";
import { contactResolver } from "./inbound-contact-resolver.ts";
import { createIngest } from "./ingest.ts";

const clock = createMovedClock("2026-05-04T12:00:00Z");
const lines = new Map<number, FakeLine>();
const contacts = contactsFeature({
  mergeParticipants: contactMergeParticipants,
  onBlockChanged: applyContactBlock,
  onDeleted: emitTicketsDeleted,
  findErasedNumbers,
  pictures: { findLine: (id) => lines.get(id), gapMs: 0 },
});
let desk: Desk;
let admin: Person;
let line: FakeLine;

beforeEach(async () => {
  clock.set("2026-05-04T12:00:00Z");
  lines.clear();
  const messages = createMessagesFeature(() => (id) => lines.get(id));
  desk = await aDesk([tickets, contacts, messages, fakeLinesFeature(lines)], { clock });
  line = createFakeLine(desk.connectionId);
  lines.set(desk.connectionId, line);
  admin = await desk.person("admin");
});

const ana = { phone: "5511988887777", lid: "210000000000001" };
const anaChat: Address = { kind: "lid", value: ana.lid };
const group: Address = { kind: "group", value: "120363000000000001" };
let counter = 0;

async function receive(...events: readonly LineEvent[]): Promise<void> {
  const { companyId, connectionId } = desk;
  const ingest = createIngest({ vault: desk.app.services.vault, contacts: contactResolver });
  const actor = { kind: "line", companyId, connectionId } as const;
  await desk.app.db.inCompany({ actor, companyId, log: desk.app.services.log, clock }, (ctx) =>
    ingest(ctx, connectionId, events),
  );
  await desk.app.settle();
}

function messageOf(chat: Address, person: PersonRef, more: object = {}): LineEvent {
  return {
    type: "message",
    message: {
      waId: `WA${(counter += 1)}`,
      ...{ chat, person, fromMe: false, participant: null, pushName: "Ana", at: clock.now(), isOffline: false },
      ...{ quotedWaId: null, content: { kind: "text", text: "oi" } },
      ...more,
    },
  };
}

const face = (color: string) =>
  sharp({ create: { width: 640, height: 640, channels: 3, background: color } })
    .jpeg()
    .toBuffer();

/** The path of the picture that is shown for a contact. */
async function shown(name: string): Promise<string | null | undefined> {
  const { body } = await admin.get<{ contacts: Contact[] }>(`/contacts?searchParam=${name}`);
  return pathOf(body.contacts[0]?.profilePicUrl);
}

function pathOf(address: string | null | undefined): string | null | undefined {
  return address && new URL(address).pathname;
}

test("a contact who writes is shown with their picture, in contacts and in the list (T-04, C-01)", async () => {
  const bytes = await face("#c33");
  line.onPicture = () => bytes;
  await receive(messageOf(anaChat, ana));

  expect(line.requestedPictures).toEqual([anaChat]);
  const url = await shown("ana");
  const { body } = await admin.get<{ tickets: Ticket[] }>("/tickets?showAll=true&status=pending");
  expect(pathOf(body.tickets[0]?.contact.profilePicUrl)).toBe(url);
  const answer = await fetch(new URL(url ?? "", await desk.app.listen()));
  expect(answer.headers.get("content-type")).toBe("image/jpeg");
  expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({ width: 192, height: 192 });
});

test("a picture that is hidden from us is not requested again for a week, then once (T-04)", async () => {
  await receive(messageOf(anaChat, ana), messageOf(anaChat, ana));
  await receive(messageOf(anaChat, ana));
  clock.advance({ days: 6 });
  await receive(messageOf(anaChat, ana));
  expect([await shown("ana"), line.requestedPictures.length]).toEqual([null, 1]);

  clock.advance({ days: 2 });
  await receive(messageOf(anaChat, ana));
  await receive(messageOf(anaChat, ana));
  expect(line.requestedPictures).toHaveLength(2);
});

test("a changed picture is downloaded, and a removed one is removed (C-01)", async () => {
  const faces = [await face("#c33"), await face("#3c3")];
  line.onPicture = () => faces[0];
  await receive(messageOf(anaChat, ana));
  const first = await shown("ana");

  line.onPicture = () => faces[1];
  await receive({ type: "picture", chat: { kind: "phone", value: ana.phone }, isGone: false });
  const second = await shown("ana");
  expect(second).toMatch(/^\/media\//);
  expect(second).not.toBe(first);

  await receive({ type: "picture", chat: anaChat, isGone: true });
  expect(await shown("ana")).toBeNull();
  expect(line.requestedPictures).toHaveLength(2);
});

test("a group has its picture too, and a picture event of an unknown contact changes nothing (T-04)", async () => {
  const bytes = await face("#33c");
  line.onPicture = () => bytes;
  await desk.rows(`insert into settings values (${desk.companyId}, 'CheckMsgIsGroup', 'disabled')`);
  const participant = { phone: "5511988880009", lid: null, name: "Rui" };
  await receive(messageOf(group, { phone: null, lid: null }, { participant }));
  expect(line.requestedPictures).toEqual([group]);
  expect(await shown("grupo")).toMatch(/^\/media\//);

  await receive({ type: "picture", chat: { kind: "lid", value: "299999999999999" }, isGone: false });
  expect(line.requestedPictures).toHaveLength(1);
});

test("a disconnected line, or a missing response, only delays the picture", async () => {
  const bytes = await face("#c33");
  const failures = [new SendError("notConnected", true), new Error("Timed Out")];
  line.onPicture = () => {
    const failure = failures.shift();
    if (failure) {
      throw failure;
    }
    return bytes;
  };
  await receive(messageOf(anaChat, ana));
  for (let look = 0; look < 2; look += 1) {
    clock.advance({ minutes: 5 });
    await desk.app.settle();
  }
  expect(await shown("ana")).toMatch(/^\/media\//);
});

test("the picture of a deleted contact is deleted, one in use stays (C-04)", async () => {
  const bytes = await face("#c33");
  line.onPicture = () => bytes;
  await receive(
    messageOf(anaChat, ana),
    messageOf({ kind: "phone", value: "5511988880002" }, { phone: "5511988880002", lid: null }),
  );
  const [gone] = await desk.rows<{ id: number; picture_path: string }>(
    `select id, picture_path from contacts where number = '${ana.phone}'`,
  );
  await desk.rows(`delete from tickets where contact_id = ${gone!.id}`);
  await admin.delete(`/contacts/${gone!.id}`);

  // File times are real, so the clock is set relative to them.
  clock.set(new Date(Date.now() + 2 * 24 * 3_600_000));
  const { services, db } = desk.app;
  await createSweep(services.storage, contacts.files ?? []).run({
    ...services,
    db,
    signal: new AbortController().signal,
  });
  const kept = await desk.rows<{ picture_path: string }>(
    "select picture_path from contacts where picture_path is not null",
  );
  expect(await services.storage.stat(gone!.picture_path)).toBeUndefined();
  expect(await services.storage.stat(kept[0]!.picture_path)).toBeDefined();
});

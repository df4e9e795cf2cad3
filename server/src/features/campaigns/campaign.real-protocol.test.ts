import { campaigns, connections, contactListItems, contactLists } from "@prosa/contract";
import type { Campaign, Recipient } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { aRealLine } from "#server/testing/real-line.ts";
import type { RealLine } from "#server/testing/real-line.ts";
import { waitUntil } from "#server/testing/wait-until.ts";

/** A campaign through the real driver, whose protocol the simulated network speaks. */
const clock = createMovedClock("2026-11-18T13:00:00Z");
let line: RealLine;

beforeAll(async () => {
  line = await aRealLine(() => ({}), clock);
});
afterAll(() => line.end());

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Lets time pass second by second until this holds: the pace and the line take their turns. */
async function passUntil(isSo: () => Promise<boolean> | boolean, most = 200): Promise<void> {
  for (let seconds = 0; seconds < most; seconds += 1) {
    await line.app.settle();
    await line.sim.settled(line.owner);
    if (await isSo()) {
      return;
    }
    clock.advance({ seconds: 1 });
  }
  throw new Error(`Not so after ${most} seconds of the clock`);
}

test("a campaign with a text and a file goes out by the real line, stops under a time lock and goes on at its end (K-02, K-05, P-04)", async () => {
  const { sim, admin, owner } = line;
  const people = ["Ana Lima", "Beto Souza", "Caio Reis"].map((name, n) => sim.person(`551198877000${n}`, { name }));
  const nobody = "5511988770099";
  const { body: list } = await admin.call(contactLists.create, { body: { name: "Clientes" } });
  const numbers = [...people.map(({ name, number }) => [name, number]), ["Ninguém", nobody]] as [string, string][];
  for (const [name, number] of numbers) {
    await admin.call(contactListItems.create, { body: { contactListId: list.id, name, number, email: "" } });
  }
  // The numbers are looked up by the line itself.
  await passUntil(async () => {
    const { body } = await admin.call(contactListItems.list, { query: { contactListId: list.id } });
    return body.contacts.every(({ isWhatsappValid }) => isWhatsappValid !== null);
  });
  const [{ id: whatsappId } = { id: 0 }] = (await admin.call(connections.list, {})).body;
  const draft = { name: "Natal", message1: "Oi {nome}, veja", whatsappId, contactListId: list.id };
  const { id } = (await admin.call(campaigns.create, { body: draft })).body;
  const form = new FormData();
  form.append("file", new File([png], "cartaz.png", { type: "image/png" }));
  await admin.call(campaigns.upload, { params: { id }, body: form });
  await admin.call(campaigns.update, { params: { id }, body: { scheduledAt: clock.now().toISOString() } });
  const read = async (): Promise<Campaign> => (await admin.call(campaigns.get, { params: { id } })).body;
  const recipients = async (): Promise<Recipient[]> =>
    (await admin.call(campaigns.recipients, { params: { id } })).body.records;
  const heard = () => people.map((person) => person.inbox(owner).map(({ content, text }) => [content.kind, text]));
  const written = () => heard().filter((messages) => messages.length > 0).length;

  await passUntil(() => written() === 1);
  expect(heard()[0]).toEqual([["image", "Oi Ana Lima, veja"]]);

  const until = Math.ceil(clock.now().getTime() / 1_000) * 1_000 + 1_800_000;
  sim.phone(owner).limits.restrict({ until });
  const pauses = async () => (await read()).lines.map(({ pauseReason, pausedUntil }) => [pauseReason, pausedUntil]);
  await passUntil(async () => (await pauses())[0]?.[0] === "limited");
  expect(await pauses()).toEqual([["limited", new Date(until).toISOString()]]);
  // A reply is never held.
  const [ana] = people;
  await ana!.sends(owner, "quanto custa?");
  await sim.settled(owner);
  await line.app.settle();
  const ticket = await line.ticketOf(ana!);
  await admin.put(`/tickets/${ticket.id}`, { status: "open" });
  await admin.post(`/messages/${ticket.id}`, { body: "dez reais" });
  await passUntil(() => heard()[0]!.length === 2);
  clock.set(new Date(until - 1_000));
  await line.app.settle();
  await sim.settled(owner);
  expect([written(), sim.stats.refused]).toEqual([1, 0]);

  clock.set(new Date(until));
  await waitUntil(async () => {
    await line.app.settle();
    await sim.settled(owner);
    return written() === 2;
  }, 10_000);
  await passUntil(async () => (await read()).status === "FINALIZADA");
  expect(heard().map((messages) => messages[0])).toEqual(people.map(({ name }) => ["image", `Oi ${name}, veja`]));
  expect((await recipients()).map(({ name, state }) => [name, state === "invalid" ? state : "written"])).toEqual([
    ["Ana Lima", "written"],
    ["Beto Souza", "written"],
    ["Caio Reis", "written"],
    ["Ninguém", "invalid"],
  ]);
}, 60_000);

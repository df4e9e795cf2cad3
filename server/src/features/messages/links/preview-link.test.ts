import { settings } from "@prosa/contract";
import type { Message } from "@prosa/contract";
import { beforeEach, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { asaasToken } from "#server/features/invoices/index.ts";
import { settingsFeature } from "#server/features/settings/feature.ts";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { createMessagesFeature } from "../feature.ts";
import { presenceTiming } from "../presence/index.ts";
import type { LinkPreview } from "./fetch-preview.ts";

const clock = createMovedClock("2026-05-04T12:00:00Z");
const lines = new Map<number, FakeLine>();
const shoe: LinkPreview = { title: "<b>Tênis</b> azul", description: "Leve", picture: Buffer.from([0xff, 0xd8, 0xff]) };
let desk: Desk;
let agent: Person;
let ticketId: number;
let asked: string[];
let pages: Record<string, LinkPreview | undefined>;
/** Until then hosts that hang do not answer. */
let answered: PromiseWithResolvers<void>;

beforeEach(async () => {
  clock.set("2026-05-04T12:00:00Z");
  asked = [];
  answered = Promise.withResolvers();
  pages = { "https://loja.com/azul": shoe };
  const fetchPreview = async (url: string) => {
    asked.push(url);
    if (url.startsWith("https://hangs.")) {
      await answered.promise;
    }
    if (!(url in pages)) {
      throw new Error("not found");
    }
    return pages[url];
  };
  const messages = createMessagesFeature(() => (id) => lines.get(id), undefined, presenceTiming, fetchPreview);
  desk = await aDesk([settingsFeature(asaasToken), tickets, messages, fakeLinesFeature(lines)], {
    clock,
    env: { LINK_PREVIEWS: "on" },
  });
  lines.set(desk.connectionId, createFakeLine(desk.connectionId));
  agent = await desk.person("user");
  ({ id: ticketId } = await desk.ticket({ status: "open", user: agent, lastMessageAt: clock.now() }));
});

async function send(body: string): Promise<Message> {
  const id = await written(body);
  await desk.app.settle();
  return shown(id);
}

async function written(body: string): Promise<number> {
  const { body: sent } = await agent.post<Message[]>(`/messages/${ticketId}`, { body });
  return sent[0]!.id;
}

async function shown(id: number): Promise<Message> {
  const { body } = await agent.get<{ messages: Message[] }>(`/messages/${ticketId}`);
  return body.messages.find((message) => message.id === id)!;
}

test("the first address of a text gets its preview, fetched once for all messages with it (M-03)", async () => {
  const first = await send("Veja https://loja.com/azul, ou www.outra.com");
  expect(first.linkPreview).toEqual({
    url: "https://loja.com/azul",
    title: "<b>Tênis</b> azul",
    description: "Leve",
    picture: "data:image/jpeg;base64,/9j/",
  });
  expect((await send("https://loja.com/azul")).linkPreview?.title).toBe(shoe.title);
  expect(asked).toEqual(["https://loja.com/azul"]);

  clock.set("2026-05-12T12:00:00Z");
  await send("de novo https://loja.com/azul");
  expect(asked).toHaveLength(2);
});

test("a page that cannot be read, or has no title, leaves the message as it is, and is not asked again (M-03)", async () => {
  pages["https://loja.com/vazia"] = undefined;
  for (const address of ["https://loja.com/fora", "https://loja.com/vazia", "https://loja.com/fora"]) {
    expect((await send(address)).linkPreview).toBeNull();
  }
  expect(asked).toEqual(["https://loja.com/fora", "https://loja.com/vazia"]);
});

test("an edit takes the card along: of another address, or of none (M-10)", async () => {
  const { id } = await send("https://loja.com/azul");
  await agent.post(`/messages/edit/${id}`, { body: "sem endereço" });
  await desk.app.settle();
  expect((await shown(id)).linkPreview).toBeNull();

  pages["https://loja.com/verde"] = { ...shoe, title: "Verde", picture: null };
  await agent.post(`/messages/edit/${id}`, { body: "https://loja.com/verde" });
  await desk.app.settle();
  expect((await shown(id)).linkPreview).toMatchObject({ title: "Verde", picture: null });
});

test("a company that switches previews off asks no page (G-02)", async () => {
  const admin = await desk.person("admin");
  await admin.put(settings.save.path.replace(":key", "linkPreviews"), { value: "disabled" });
  expect((await send("https://loja.com/azul")).linkPreview).toBeNull();
  expect(asked).toEqual([]);
});

test("pages that do not answer hold up no other company's jobs (M-03)", async () => {
  const other = await desk.otherCompany();
  lines.set(other.connectionId, createFakeLine(other.connectionId));
  const colleague = await other.person("user");
  const theirs = await other.ticket({ status: "open", user: colleague, lastMessageAt: clock.now() });
  const hanging = [1, 2, 3, 4, 5, 6].map((page) => `https://hangs.example.com/${page}`);
  for (const address of hanging) {
    await written(address);
  }
  await colleague.post(`/messages/${theirs.id}`, { body: "https://loja.com/azul" });
  let isHanging = true;
  const settled = desk.app.settle().then(() => (isHanging = false));

  await expect.poll(() => asked).toContain("https://loja.com/azul");
  expect([isHanging, asked.filter((url) => hanging.includes(url)).length]).toEqual([true, 3]);

  answered.resolve();
  await settled;
  clock.advance({ seconds: 11 });
  await desk.app.settle();
  expect(asked.toSorted()).toEqual([...hanging, "https://loja.com/azul"]);
});

import type { Message, Ticket } from "@prosa/contract";
import { expect, test } from "vitest";
import { prepareDemo } from "#server/app/demo.ts";
import { createTestApp } from "#server/testing/app.ts";
import { demoPassword } from "./demo.ts";

interface SignedIn {
  readonly token: string;
}

test("the demo is told in seconds, once, and shows every kind of message and every state", async () => {
  const app = await createTestApp({ forThisTest: true });
  const began = performance.now();
  const signIns = await prepareDemo(app.services);
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(signIns.map(({ email }) => email)).toContain("agente1@prosa.demo");
  await app.settle();

  expect(await prepareDemo(app.services)).toEqual(signIns);

  for (const { email } of signIns) {
    const answer = await app.as(undefined).post<SignedIn>("/auth/login", { email, password: demoPassword });
    expect([email, answer.status]).toEqual([email, 200]);
  }
  const { body } = await app
    .as(undefined)
    .post<SignedIn>("/auth/login", { email: "admin@prosa.demo", password: demoPassword });
  const bearer = { authorization: `Bearer ${body.token}` };
  const list = async (status: string) => {
    const answer = await app
      .as(undefined)
      .get<{ tickets: Ticket[]; count: number }>(`/tickets?status=${status}&showAll=true`, bearer);
    return answer.body.tickets;
  };
  const [open, pending, closed] = [await list("open"), await list("pending"), await list("closed")];
  expect([open.length, pending.length, closed.length]).toEqual([6, 8, 13]);
  expect(pending.filter(({ unreadMessages }) => unreadMessages > 0)).toHaveLength(7);
  expect(open.every(({ user, queue }) => user !== null && queue !== null)).toBe(true);
  expect([...open, ...pending, ...closed].some(({ isGroup }) => isGroup)).toBe(true);
  expect(open.find(({ contact }) => contact.name.startsWith("Mariana"))?.tags).toMatchObject([{ name: "Cliente VIP" }]);
  expect(Date.parse(closed.at(-1)?.lastMessageAt ?? "")).toBeLessThan(Date.now() - 15 * 24 * 3_600_000);

  const messages: Message[] = [];
  for (const { id } of [...open, ...pending, ...closed]) {
    const page = await app.as(undefined).get<{ messages: Message[] }>(`/messages/${id}?peek=true`, bearer);
    expect(page.status).toBe(200);
    messages.push(...page.body.messages);
  }
  const kinds = new Set(messages.map(({ mediaType }) => mediaType));
  for (const kind of [
    "chat",
    "image",
    "audio",
    "application",
    "sticker",
    "locationMessage",
    "vcard",
    "call_log",
  ] as const) {
    expect(kinds).toContain(kind);
  }
  expect(new Set(messages.filter(({ fromMe }) => fromMe).map(({ ack }) => ack))).toEqual(new Set([-1, 1, 2, 3]));
  expect(messages.some(({ isDeleted }) => isDeleted)).toBe(true);
  expect(messages.some(({ isEdited }) => isEdited)).toBe(true);
  expect(messages.some(({ quotedMsg }) => quotedMsg !== null)).toBe(true);
  expect(messages.some(({ reactions }) => reactions.length > 0)).toBe(true);
  const files = messages.filter(({ media }) => media !== null);
  expect(files.every(({ media }) => media?.state === "ready")).toBe(true);
  const shown = await app.as(undefined).get(files[0]?.mediaUrl ?? "");
  expect(shown.status).toBe(200);
});

import { compareMessages } from "@prosa/contract";
import type { Message } from "@prosa/contract";
import { beforeEach, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { sendMessages } from "#server/features/messages/index.ts";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { messageFrom } from "#server/testing/bot-scenario.ts";
import { contactResolver } from "./inbound-contact-resolver.ts";
import { createIngest } from "./ingest.ts";

const clock = createMovedClock("2026-05-04T12:00:00Z");
const maria = "5511988887777";
let desk: Desk;
let agent: Person;
let hear: (text: string, aheadSeconds: number) => Promise<void>;

beforeEach(async () => {
  clock.set("2026-05-04T12:00:00Z");
  desk = await aDesk([tickets, createMessagesFeature(() => () => undefined)], { clock });
  agent = await desk.person("admin");
  const ingest = createIngest({ vault: desk.app.services.vault, contacts: contactResolver });
  hear = (text, aheadSeconds) => {
    const at = new Date(clock.now().getTime() + aheadSeconds * 1_000);
    return onLine((ctx) => ingest(ctx, desk.connectionId, [messageFrom(maria, text, at)]));
  };
});

const onLine = <T>(work: (ctx: Ctx) => Promise<T>) =>
  desk.app.db.inCompany(
    {
      actor: { kind: "line", companyId: desk.companyId, connectionId: desk.connectionId },
      companyId: desk.companyId,
      log: desk.app.services.log,
      clock,
    },
    work,
  );

const ticketId = async () => (await desk.rows<{ id: number }>("select id from tickets"))[0]!.id;
const say = async (body: string) => agent.post(`/messages/${await ticketId()}`, { body });
const accept = async () => agent.put(`/tickets/${await ticketId()}`, { status: "open" });
async function conversation(): Promise<Message[]> {
  const { body } = await agent.get<{ messages: Message[] }>(`/messages/${await ticketId()}?peek=true`);
  expect(body.messages).toEqual(body.messages.toSorted(compareMessages));
  return body.messages.filter(({ isAutomatic }) => !isAutomatic);
}
const texts = async () => (await conversation()).map(({ body }) => body);

test("on a host seconds behind WhatsApp every reply is ordered after its question (M-17)", async () => {
  await hear("quanto custa?", 5);
  await accept();
  await say("dez");
  clock.advance({ seconds: 1 });
  await hear("e dois?", 5);
  await say("vinte");
  await say("mais alguma coisa?");
  expect(await texts()).toEqual(["quanto custa?", "dez", "e dois?", "vinte", "mais alguma coisa?"]);
  const [{ last }] = (await desk.rows<{ last: string }>("select last_message as last from tickets")) as [
    { last: string },
  ];
  expect(last).toBe("mais alguma coisa?");
});

test("automatic messages are ordered after it too", async () => {
  await hear("oi", 5);
  const id = await ticketId();
  await onLine((ctx) => sendMessages(ctx, id, [draft("olá")], { isAutomatic: true }));
  const rows = await desk.rows<{ body: string }>("select body from messages order by sent_at, id");
  expect(rows.map(({ body }) => body)).toEqual(["oi", "olá"]);
});

test("our own clock is used again once it has caught up", async () => {
  await hear("oi", 5);
  await accept();
  clock.advance({ seconds: 9 });
  await say("olá");
  expect((await conversation()).at(-1)?.createdAt).toBe(clock.now().toISOString());
});

test("a time far in the future is replaced by the time of receipt, and later messages follow", async () => {
  await hear("do futuro", 3 * 86_400);
  await accept();
  await say("resposta");
  clock.advance({ seconds: 30 });
  await hear("de agora", 0);
  expect(await texts()).toEqual(["do futuro", "resposta", "de agora"]);
  expect((await conversation())[0]?.createdAt).toBe("2026-05-04T12:00:00.000Z");
});

test("a future time that an earlier release stored does not move our replies", async () => {
  await hear("oi", 0);
  await desk.rows("update tickets set last_message_at = '2031-01-01'");
  await accept();
  await say("olá");
  expect((await conversation()).at(-1)?.createdAt).toBe("2026-05-04T12:00:00.000Z");
});

const draft = (body: string) => ({ mediaType: "chat", body, data: null, quotedId: null, file: null }) as const;

import type { Message } from "@prosa/contract";
import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { countStatements } from "#server/platform/db/index.ts";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { SendError } from "#server/whatsapp/port.ts";
import { createMessagesFeature } from "../feature.ts";
import { sendMessages, toOutgoingMessages } from "./index.ts";

const lines = new Map<number, FakeLine>();
const clock = createMovedClock("2026-05-04T12:00:00Z");
let desk: Desk;
let line: FakeLine;
let agent: Person;
let ticketId: number;
let contactId: number;

beforeEach(async () => {
  lines.clear();
  desk = await aDesk([tickets, createMessagesFeature(() => (id) => lines.get(id)), fakeLinesFeature(lines)], { clock });
  line = createFakeLine(desk.connectionId);
  lines.set(desk.connectionId, line);
  agent = await desk.person("user");
  ({ id: ticketId, contactId } = await desk.ticket({ status: "open", user: agent, lastMessageAt: clock.now() }));
});

const page = async () => (await agent.get<{ messages: Message[] }>(`/messages/${ticketId}`)).body;
const send = (body: string, more: object = {}) => agent.post<Message[]>(`/messages/${ticketId}`, { body, ...more });
const first = async (body: string) => (await send(body)).body[0]!;

test.each(["campaign-1-2", "schedule-12", "opt-out-345", "api-1234567", "o1d2c3b4:1"])(
  "a client does not name its message %s, as the product names its own (M-05, P-02)",
  async (clientId) => {
    expect(await send("oi", { clientId })).toMatchObject({ status: 400, body: { error: "ERR_VALIDATION" } });
    expect((await page()).messages).toEqual([]);
    expect((await send("oi", { clientId: `my-${clientId.replace(":", "-")}` })).status).toBe(200);
  },
);

test("is stored as queued first, then sent by the line under the id chosen before (M-05, M-02)", async () => {
  const message = await first("bom dia");
  expect(message).toMatchObject({ body: "bom dia", fromMe: true, ack: 0, user: { id: agent.id }, mediaType: "chat" });
  expect(line.sent).toEqual([]);

  await desk.app.settle();

  expect(line.texts()).toEqual(["bom dia"]);
  const [row] = await desk.rows<{ wa_id: string; ack: number }>(
    `select wa_id, ack from messages where id = ${message.id}`,
  );
  expect(row).toEqual({ wa_id: line.sent[0]?.waId, ack: 1 });
  expect((await page()).messages.at(-1)).toMatchObject({ id: message.id, ack: 1 });
});

test("a text costs four statements in all, and its answer is the view of the conversation (M-05)", async () => {
  const { inAll, result } = await countStatements(() => send("bom dia"));
  // the company, the lock, the message with its activity, its event and job
  expect(inAll).toBe(4);
  expect(result.body).toEqual((await page()).messages);
});

test("a blocked contact gets nothing, and nothing is stored (C-07)", async () => {
  await desk.rows(`update contacts set is_blocked = true where id = ${contactId}`);
  expect(await send("bom dia")).toMatchObject({ body: { error: "ERR_CONTACT_BLOCKED" } });
  expect((await page()).messages).toEqual([]);
});

test("the same client id again is the same message, never a second (M-05)", async () => {
  const clientId = "client-id-1";
  const answers = await Promise.all([1, 2, 3].map(() => send("uma vez", { clientId })));
  await desk.app.settle();
  const again = await send("uma vez", { clientId });
  await desk.app.settle();
  const ids = new Set([...answers, again].map(({ body }) => body[0]?.id));
  expect(ids.size).toBe(1);
  expect(line.texts()).toEqual(["uma vez"]);

  // also if the ticket was closed in between
  await agent.put(`/tickets/${ticketId}`, { status: "closed" });
  expect((await send("uma vez", { clientId })).body[0]?.id).toBe([...ids][0]);
});

test("what was stored before the ticket changed hands, or its line was deleted, is answered to its sender alone (M-05)", async () => {
  const queueId = await desk.queue();
  const ana = await desk.person("user", { queueIds: [queueId] });
  const bia = await desk.person("user", { queueIds: [queueId] });
  const eva = await desk.person("user", { queueIds: [queueId] });
  const admin = await desk.person("admin");
  const ticket = await desk.ticket({ status: "open", user: ana, queueId, lastMessageAt: clock.now() });
  const clientId = "resposta-perdida";
  const sendAs = (person: Person, more: object = {}) =>
    person.post<Message[]>(`/messages/${ticket.id}`, { body: "já enviei", clientId, ...more });
  const [message] = (await sendAs(ana)).body;
  await desk.app.settle();

  await admin.put(`/tickets/${ticket.id}`, { userId: bia.id, queueId });
  expect(await sendAs(ana)).toMatchObject({ status: 200, body: [{ id: message!.id, body: "já enviei" }] });
  expect(await sendAs(ana, { clientId: "outra-mensagem" })).toMatchObject({ status: 403 });
  expect(await sendAs(eva)).toMatchObject({ status: 403 });

  await admin.delete(`/whatsapp/${desk.connectionId}`);
  lines.delete(desk.connectionId);
  await desk.app.settle();
  expect(await sendAs(ana)).toMatchObject({ status: 200, body: [{ id: message!.id }] });
  expect(await sendAs(eva)).toMatchObject({ body: { error: expect.stringMatching(/^ERR_/u) as string } });
  expect(await desk.rows(`select body from messages where ticket_id = ${ticket.id}`)).toHaveLength(1);
});

test("files that were stored before the ticket went out of its sender's sight are answered to them, and kept once (M-05, M-06)", async () => {
  const queueId = await desk.queue();
  const ana = await desk.person("user", { queueIds: [queueId] });
  const admin = await desk.person("admin");
  const ticket = await desk.ticket({ status: "open", user: ana, queueId, lastMessageAt: clock.now() });
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const sendAs = (person: Person, clientId: string) => {
    const form = new FormData();
    form.set("clientId", clientId);
    form.append("medias", new Blob([new Uint8Array(picture)], { type: "image/png" }), "foto.png");
    return person.post<Message[]>(`/messages/${ticket.id}`, form);
  };
  const [message] = (await sendAs(ana, "foto-perdida")).body;

  await admin.put(`/tickets/${ticket.id}`, { userId: admin.id, queueId: await desk.queue() });

  expect(await sendAs(ana, "foto-perdida")).toMatchObject({ status: 200, body: [{ id: message!.id }] });
  expect(await sendAs(ana, "outra-foto")).toMatchObject({ status: 403 });
  expect(await desk.rows(`select 1 from media where message_id = ${message!.id}`)).toHaveLength(1);
});

test("the waiting job of a chat becomes as urgent as its most urgent message, never less (B-06)", async () => {
  const queuedAs = async () =>
    (await desk.rows<{ priority: number }>("select priority from jobs where task = 'messages.send'"))[0];
  const automatic = (priority?: "notice" | "bulk") => (ctx: Ctx) =>
    sendMessages(ctx, ticketId, toOutgoingMessages({ body: "aviso", voice: false }, []), {
      isAutomatic: true,
      priority,
    });
  await desk.within(automatic("bulk"));
  expect(await queuedAs()).toEqual({ priority: 3 });
  await desk.within(automatic());
  expect(await queuedAs()).toEqual({ priority: 1 });
  await send("escrevo eu");
  expect(await queuedAs()).toEqual({ priority: 0 });
  await desk.within(automatic("notice"));
  expect(await queuedAs()).toEqual({ priority: 0 });
});

test("many at once are sent in the order in which they were stored", async () => {
  for (let n = 0; n < 12; n += 1) {
    await send(`texto ${n}`);
  }
  await desk.app.settle();
  expect(line.texts()).toEqual(Array.from({ length: 12 }, (_, n) => `texto ${n}`));
});

test("what the release before this one enqueued, in a lane of the ticket alone, is sent once and in order (M-05)", async () => {
  line.isConnected = false;
  await send("um");
  await desk.rows(`update jobs set lane = 'chat:${ticketId}', key = 'send:${ticketId}' where task = 'messages.send'`);
  await send("dois");
  line.isConnected = true;
  await desk.app.settle();
  expect(line.texts()).toEqual(["um", "dois"]);
  expect(await desk.rows(`select task from jobs where task = 'messages.send'`)).toEqual([]);
});

test("stays queued while the line is not connected, never fails, and is sent in order afterwards", async () => {
  line.isConnected = false;
  const message = await first("um");
  await send("dois");
  for (let round = 0; round < 12; round += 1) {
    await desk.app.settle();
    clock.advance({ seconds: 30 });
  }
  expect(line.sent).toEqual([]);
  expect((await page()).messages.find(({ id }) => id === message.id)?.ack).toBe(0);

  line.isConnected = true;
  await send("três");
  await desk.app.settle();
  expect(line.texts()).toEqual(["um", "dois", "três"]);
  expect(await desk.rows(`select 1 from messages where ack <> 1`)).toEqual([]);
});

test("a refused message fails with its reason; the others are sent; a retry keeps both ids (M-02)", async () => {
  line.onSend = ({ content }) => {
    if (content.kind === "text" && content.text === "não") {
      throw new SendError("refused", false);
    }
  };
  const message = (await send("não", { clientId: "client-refused" })).body[0]!;
  await send("sim");
  await desk.app.settle();
  expect(line.texts()).toEqual(["sim"]);
  const failed = (await page()).messages.find(({ id }) => id === message.id);
  expect(failed).toMatchObject({ ack: -1, failReason: "refused" });
  const counted = await desk.app.services.metrics.registry.getSingleMetricAsString("prosa_messages_total");
  expect(counted).toMatch(/\{direction="failed"\} [1-9]/);
  expect(counted).toMatch(/\{direction="out"\} [1-9]/);

  line.onSend = () => undefined;
  const before = await desk.rows(`select wa_id, client_id from messages where id = ${message.id}`);
  const { body } = await agent.post<Message>(`/messages/${message.id}/retry`);
  expect(body).toMatchObject({ id: message.id, ack: 0, failReason: null });
  await desk.app.settle();
  expect(line.texts()).toEqual(["sim", "não"]);
  expect([{ wa_id: line.sent[1]?.waId, client_id: "client-refused" }]).toEqual(before);
});

test("a timeout is retried under the same id, and fails after the last attempt", async () => {
  const tried: string[] = [];
  line.onSend = ({ waId }) => {
    tried.push(waId);
    throw new SendError("timeout", true);
  };
  const message = await first("lento");
  for (let round = 0; round < 8; round += 1) {
    await desk.app.settle();
    clock.advance({ minutes: 5 });
  }
  expect(tried).toHaveLength(5);
  expect(new Set(tried).size).toBe(1);
  expect((await page()).messages.find(({ id }) => id === message.id)).toMatchObject({
    ack: -1,
    failReason: "timeout",
  });
});

test("the message after a failed one has its own attempts (M-05)", async () => {
  const tried: string[] = [];
  line.onSend = ({ content }) => {
    const text = content.kind === "text" ? content.text : "";
    tried.push(text);
    if (text === "nunca" || tried.filter((each) => each === text).length < 2) {
      throw new SendError("timeout", true);
    }
  };
  await send("nunca");
  await send("na segunda");
  for (let round = 0; round < 8; round += 1) {
    await desk.app.settle();
    clock.advance({ minutes: 5 });
  }
  expect(line.texts()).toEqual(["na segunda"]);
  expect((await page()).messages.map(({ body, ack }) => [body, ack])).toEqual([
    ["nunca", -1],
    ["na segunda", 1],
  ]);
});

test("a crash between send and finish sends again under the same id, and stores nothing twice", async () => {
  // The line sent the message, but the process dies before the row is updated, as if the lease had expired.
  let isFirst = true;
  line.onSend = (sent) => {
    if (isFirst) {
      isFirst = false;
      line.sent.push(sent);
      throw new Error("the process died here");
    }
  };
  await first("de novo");
  await desk.app.settle();
  clock.advance({ minutes: 1 });
  await desk.app.settle();
  expect(line.sent).toHaveLength(2);
  expect(new Set(line.sent.map(({ waId }) => waId)).size).toBe(1);
  expect(await desk.rows(`select ack from messages`)).toEqual([{ ack: 1 }]);
});

test("an ack from the line's journal is never lowered", async () => {
  line.onSend = async ({ waId }) => {
    await desk.rows(`update messages set ack = 3 where wa_id = '${waId}'`);
  };
  const message = await first("lida já");
  await desk.app.settle();
  expect((await page()).messages.find(({ id }) => id === message.id)?.ack).toBe(3);
});

test("empty, pending, closed, blocked and foreign are refused with their codes", async () => {
  for (const blank of ["   ", "\u200b", " \u2060\u00ad\u2800\n"]) {
    expect(await send(blank)).toMatchObject({ status: 400, body: { error: "ERR_VALIDATION" } });
  }
  const other = await desk.person("user");
  expect(await other.post(`/messages/${ticketId}`, { body: "oi" })).toMatchObject({ status: 403 });
  const stranger = await (await desk.otherCompany()).person("admin");
  expect(await stranger.post(`/messages/${ticketId}`, { body: "oi" })).toMatchObject({ status: 404 });
  expect(await desk.app.as(undefined).post(`/messages/${ticketId}`, { body: "oi" })).toMatchObject({ status: 401 });

  await desk.rows(`update contacts set is_blocked = true where id = ${contactId}`);
  expect(await send("oi")).toMatchObject({ status: 409, body: { error: "ERR_CONTACT_BLOCKED" } });
  await agent.put(`/tickets/${ticketId}`, { status: "closed" });
  expect(await send("oi")).toMatchObject({ status: 409, body: { error: "ERR_TICKET_NOT_OPEN" } });
  expect(await desk.rows(`select 1 from messages`)).toEqual([]);
});

test("location, contact card and quote are sent as such (M-04)", async () => {
  const quoted = await first("pergunta");
  await send("resposta", { quotedMsgId: quoted.id });
  await send("", { location: { latitude: -23.5, longitude: -46.6, name: "Sé" } });
  await send("", { vcard: { name: "Rui; Lda", number: "+55 11 99999-0000" } });
  await desk.app.settle();
  expect(line.sent.map(({ content }) => content)).toMatchObject([
    { kind: "text" },
    { kind: "text", text: "resposta", quoted: { waId: line.sent[0]?.waId, fromMe: true, body: "pergunta" } },
    { kind: "location", latitude: -23.5, longitude: -46.6, name: "Sé" },
    { kind: "contact", name: "Rui; Lda", vcard: expect.stringContaining("waid=5511999990000:+5511999990000") },
  ]);
  const { messages } = await page();
  expect(messages[1]).toMatchObject({ quotedMsgId: quoted.id, quotedMsg: { body: "pergunta", fromMe: true } });
  expect(messages[2]).toMatchObject({ mediaType: "locationMessage", data: { latitude: -23.5 } });
});

test("each file is a message, the caption on the first; the file is ready at once (M-16)", async () => {
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: "#38a" } })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  form.set("body", "duas fotos");
  form.set("clientId", "client-files");
  form.append("medias", new Blob([new Uint8Array(picture)]), "praia.jpg");
  form.append("medias", new Blob(["a,b\n1,2\n"]), "dados.csv");
  const { status, body } = await agent.post<Message[]>(`/messages/${ticketId}`, form);
  expect(status).toBe(200);
  expect(body).toMatchObject([
    {
      mediaType: "image",
      body: "duas fotos",
      media: { state: "ready", width: 300, height: 200, fileName: "praia.jpg" },
    },
    { mediaType: "application", body: "", media: { mimeType: "text/csv" } },
  ]);
  expect(body[0]?.media?.thumbnail).toMatch(/^data:image\/jpeg;base64,/);
  const file = await agent.get(body[0]!.mediaUrl!);
  expect(file).toMatchObject({ status: 200, headers: { "content-type": "image/jpeg" } });

  await desk.app.settle();
  expect(line.sent.map(({ content }) => content)).toMatchObject([
    { kind: "image", caption: "duas fotos", file: { mimeType: "image/jpeg", size: picture.length } },
    { kind: "document", file: { fileName: "dados.csv" } },
  ]);
});

import { compareMessages } from "@prosa/contract";
import type { Message, Ticket } from "@prosa/contract";
import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { countStatements } from "#server/platform/db/index.ts";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { createFakeLine, runsLines } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { SendError } from "#server/whatsapp/port.ts";
import { createMessagesFeature } from "./feature.ts";

interface Page {
  readonly messages: Message[];
  readonly ticket: Ticket;
  readonly count: number;
  readonly hasMore: boolean;
  readonly episodes: unknown[];
}

const lines = new Map<number, FakeLine>();
const clock = createMovedClock("2026-05-04T12:00:00Z");
let desk: Desk;
let line: FakeLine;
let agent: Person;
let ticketId: number;
let contactId: number;

beforeEach(async () => {
  lines.clear();
  desk = await aDesk([tickets, createMessagesFeature(() => (id) => lines.get(id)), runsLines(lines)], { clock });
  line = createFakeLine(desk.connectionId);
  lines.set(desk.connectionId, line);
  agent = await desk.person("user");
  ({ id: ticketId, contactId } = await desk.ticket({ status: "open", user: agent, lastMessageAt: clock.now() }));
});

const page = async (query = "", who = agent) => (await who.get<Page>(`/messages/${ticketId}?${query}`)).body;
const say = (body: string, more: object = {}) => agent.post<Message[]>(`/messages/${ticketId}`, { body, ...more });
const first = async (body: string) => (await say(body)).body[0]!;

/** The contact's words, put there without a line. */
async function hear(texts: readonly string[], at = clock.now()): Promise<void> {
  for (const text of texts) {
    await desk.rows(`insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, body, sent_at)
      values (${desk.companyId}, ${ticketId}, ${contactId}, ${desk.connectionId}, 'in-${text}', false, '${text}', '${at.toISOString()}')`);
  }
  await desk.rows(`update tickets set unread_messages = ${texts.length} where id = ${ticketId}`);
}

describe("sending", () => {
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

  test("the same client id again is the same message, never a second (M-05)", async () => {
    const clientId = "client-id-1";
    const answers = await Promise.all([1, 2, 3].map(() => say("uma vez", { clientId })));
    await desk.app.settle();
    const again = await say("uma vez", { clientId });
    await desk.app.settle();
    const ids = new Set([...answers, again].map(({ body }) => body[0]?.id));
    expect(ids.size).toBe(1);
    expect(line.texts()).toEqual(["uma vez"]);

    // also when the conversation was ended in between
    await agent.put(`/tickets/${ticketId}`, { status: "closed" });
    expect((await say("uma vez", { clientId })).body[0]?.id).toBe([...ids][0]);
  });

  test("many at once leave in the order in which they were stored", async () => {
    for (let n = 0; n < 12; n += 1) {
      await say(`texto ${n}`);
    }
    await desk.app.settle();
    expect(line.texts()).toEqual(Array.from({ length: 12 }, (_, n) => `texto ${n}`));
  });

  test("waits while the line is away, without ever being given up, and leaves in order when it is back", async () => {
    line.isConnected = false;
    const message = await first("um");
    await say("dois");
    for (let round = 0; round < 12; round += 1) {
      await desk.app.settle();
      clock.advance({ seconds: 30 });
    }
    expect(line.sent).toEqual([]);
    expect((await page()).messages.find(({ id }) => id === message.id)?.ack).toBe(0);

    line.isConnected = true;
    await say("três");
    await desk.app.settle();
    expect(line.texts()).toEqual(["um", "dois", "três"]);
    expect(await desk.rows(`select 1 from messages where ack <> 1`)).toEqual([]);
  });

  test("what WhatsApp refuses is failed with its reason; the rest goes on; a retry keeps both ids (M-02)", async () => {
    line.onSend = ({ content }) => {
      if (content.kind === "text" && content.text === "não") {
        throw new SendError("refused", false);
      }
    };
    const message = (await say("não", { clientId: "client-refused" })).body[0]!;
    await say("sim");
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

  test("a time-out is tried again under the same id, and fails after the last try", async () => {
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

  test("the message behind one that was given up has its own tries (M-05)", async () => {
    const tried: string[] = [];
    line.onSend = ({ content }) => {
      const text = content.kind === "text" ? content.text : "";
      tried.push(text);
      if (text === "nunca" || tried.filter((each) => each === text).length < 2) {
        throw new SendError("timeout", true);
      }
    };
    await say("nunca");
    await say("na segunda");
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
    // The line has it, the process dies before the row is marked: as if the lease had run out.
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

  test("an acknowledgement that came by the line's journal is never taken back", async () => {
    line.onSend = async ({ waId }) => {
      await desk.rows(`update messages set ack = 3 where wa_id = '${waId}'`);
    };
    const message = await first("lida já");
    await desk.app.settle();
    expect((await page()).messages.find(({ id }) => id === message.id)?.ack).toBe(3);
  });

  test("empty, pending, closed, blocked and foreign are refused with their codes", async () => {
    for (const blank of ["   ", "\u200b", " \u2060\u00ad\u2800\n"]) {
      expect(await say(blank)).toMatchObject({ status: 400, body: { error: "ERR_VALIDATION" } });
    }
    const other = await desk.person("user");
    expect(await other.post(`/messages/${ticketId}`, { body: "oi" })).toMatchObject({ status: 403 });
    const stranger = await (await desk.neighbour()).person("admin");
    expect(await stranger.post(`/messages/${ticketId}`, { body: "oi" })).toMatchObject({ status: 404 });
    expect(await desk.app.as(undefined).post(`/messages/${ticketId}`, { body: "oi" })).toMatchObject({ status: 401 });

    await desk.rows(`update contacts set is_blocked = true where id = ${contactId}`);
    expect(await say("oi")).toMatchObject({ status: 409, body: { error: "ERR_CONTACT_BLOCKED" } });
    await agent.put(`/tickets/${ticketId}`, { status: "closed" });
    expect(await say("oi")).toMatchObject({ status: 409, body: { error: "ERR_TICKET_NOT_OPEN" } });
    expect(await desk.rows(`select 1 from messages`)).toEqual([]);
  });

  test("place, card and quote reach the line as what they are (M-04)", async () => {
    const quoted = await first("pergunta");
    await say("resposta", { quotedMsgId: quoted.id });
    await say("", { location: { latitude: -23.5, longitude: -46.6, name: "Sé" } });
    await say("", { vcard: { name: "Rui; Lda", number: "+55 11 99999-0000" } });
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

  test("each file is a message, the caption on the first; the file is there at once (M-16)", async () => {
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
});

describe("reading", () => {
  test("pages of 20, newest first, each oldest to newest; by number and by key the same (M-01, M-16)", async () => {
    for (let n = 0; n < 45; n += 1) {
      await hear([`m${n}`], new Date(Date.UTC(2026, 4, 4, 10, 0, Math.floor(n / 3))));
    }
    const pages = [await page("pageNumber=1"), await page("pageNumber=2"), await page("pageNumber=3")];
    expect(pages.map(({ messages, hasMore, count }) => [messages.length, hasMore, count])).toEqual([
      [20, true, 45],
      [20, true, 45],
      [5, false, 45],
    ]);
    const texts = pages.toReversed().flatMap(({ messages }) => messages.map(({ body }) => body));
    expect(texts).toEqual(Array.from({ length: 45 }, (_, n) => `m${n}`));

    const before = await page(`before=${pages[0]!.messages[0]!.id}`);
    expect(before.messages).toEqual(pages[1]!.messages);
    const after = await page(`after=${pages[0]!.messages.at(-3)!.id}`);
    expect(after.messages.map(({ body }) => body)).toEqual(["m43", "m44"]);
  });

  test("by key, pages hold what the one comparator of both sides puts before and after (M-16)", async () => {
    // Stored in another order than said: what comes late from the backlog, and what was said within one second.
    const seconds = [5, 3, 3, 9, 1, 3, 9, 2, 5, 5];
    for (const [n, second] of seconds.entries()) {
      await hear([`m${n}`], new Date(Date.UTC(2026, 4, 4, 10, 0, second)));
    }
    const { messages } = await page();
    const sorted = messages.toSorted(compareMessages);
    expect(messages).toEqual(sorted);
    for (const [at, { id }] of sorted.entries()) {
      expect((await page(`before=${id}`)).messages).toEqual(sorted.slice(0, at));
      expect((await page(`after=${id}`)).messages).toEqual(sorted.slice(at + 1));
    }
  });

  test("a jump to an old message takes all that lies between, and a page beyond it (M-09, T-03)", async () => {
    await hear(
      Array.from({ length: 70 }, (_, n) => `m${n}`),
      new Date(Date.UTC(2026, 4, 4, 10, 0, 0)),
    );
    const newest = await page();
    const idOf = async (text: string) =>
      (await desk.rows<{ id: number }>(`select id from messages where body = '${text}'`)).at(-1)!.id;
    const before = `before=${newest.messages[0]!.id}`;
    const jump = await page(`${before}&upTo=${await idOf("m25")}`);
    expect([jump.messages[0]!.body, jump.messages.at(-1)!.body, jump.messages.length, jump.hasMore]).toEqual([
      "m5",
      "m49",
      45,
      true,
    ]);
    expect(await page(`${before}&upTo=${await idOf("m3")}`)).toMatchObject({ hasMore: false });
    expect((await page(`${before}&upTo=999999`)).messages).toHaveLength(20);
  });

  test("a key of another conversation, or of a message that is gone, is told so (M-16)", async () => {
    await hear(["oi"]);
    for (const query of ["before=999999", "after=999999"]) {
      expect(await agent.get(`/messages/${ticketId}?${query}`)).toMatchObject({
        status: 404,
        body: { error: "ERR_NO_MESSAGE_FOUND" },
      });
    }
  });

  test("opening clears unread and sends receipts; peeking does not, and is for admins (M-14, T-07)", async () => {
    await hear(["oi", "tudo bem?"]);
    const admin = await desk.person("admin");
    expect((await page("peek=true", admin)).ticket.unreadMessages).toBe(2);
    expect((await agent.get(`/messages/${ticketId}?peek=true`)).status).toBe(403);
    await desk.app.settle();
    expect(line.read).toEqual([]);

    const opened = await page();
    expect(opened.ticket.unreadMessages).toBe(0);
    expect(opened.messages.every(({ read }) => read)).toBe(true);
    await desk.app.settle();
    expect(line.read).toMatchObject([{ refs: [{ waId: "in-oi" }, { waId: "in-tudo bem?" }] }]);

    await hear(["mais"]);
    expect(await agent.post(`/messages/${ticketId}/read`)).toMatchObject({ status: 200 });
    expect((await page()).ticket.unreadMessages).toBe(0);
  });

  test("the page carries the episodes that it spans (M-01)", async () => {
    await hear(["oi"]);
    const { episodes } = await page();
    expect(episodes).toMatchObject([{ ticketId, startedAt: expect.any(String) }]);
  });

  test("a page that was read already is one statement (M-16)", async () => {
    await hear(["oi"]);
    await page();
    const { statements, transactions } = await countStatements(() => page());
    expect(statements).toHaveLength(1);
    expect(transactions).toBe(1);
  });
});

describe("changing", () => {
  test("an own text is edited within 15 minutes; the earlier one is kept and WhatsApp told (M-10, M-15, M-16)", async () => {
    const message = await first("errado");
    await desk.app.settle();
    const { body } = await agent.post<Message>(`/messages/edit/${message.id}`, { body: "certo" });
    expect(body).toMatchObject({ body: "certo", isEdited: true });
    await desk.app.settle();
    expect(line.sent.at(-1)?.content).toEqual({
      kind: "edit",
      target: { waId: line.sent[0]?.waId, fromMe: true },
      text: "certo",
    });
    expect((await agent.get(`/messages/${message.id}/edits`)).body).toMatchObject([{ body: "errado" }]);

    clock.advance({ minutes: 16 });
    const late = await agent.post(`/messages/edit/${message.id}`, { body: "tarde" });
    expect(late).toMatchObject({ status: 400, body: { error: "ERR_FETCH_WAPP_MSG" } });
  });

  test("what was edited before it left goes out with the new text", async () => {
    line.isConnected = false;
    const message = await first("rascunho");
    await desk.app.settle();
    await agent.post(`/messages/edit/${message.id}`, { body: "final" });
    await desk.app.settle();
    line.isConnected = true;
    clock.advance({ seconds: 10 });
    await desk.app.settle();
    // The edit follows, because the text might just have been on its way; it changes nothing.
    expect(line.sent.map(({ content }) => content)).toMatchObject([
      { kind: "text", text: "final" },
      { kind: "edit", text: "final" },
    ]);
  });

  test("deleting leaves a marker; one that never left is not sent any more (M-16)", async () => {
    const message = await first("apagar");
    await desk.app.settle();
    expect((await agent.delete<Message>(`/messages/${message.id}`)).body).toMatchObject({ isDeleted: true });
    await desk.app.settle();
    expect(line.sent.at(-1)?.content).toMatchObject({ kind: "revoke" });

    line.isConnected = false;
    const unsent = await first("nunca");
    await agent.delete(`/messages/${unsent.id}`);
    line.isConnected = true;
    clock.advance({ minutes: 1 });
    await desk.app.settle();
    expect(line.texts()).toEqual(["apagar"]);
  });

  test("a reaction goes out, and is taken back with an empty one", async () => {
    await hear(["oi"]);
    const [message] = (await page()).messages;
    const { body } = await agent.post<Message>(`/messages/${message!.id}/reaction`, { emoji: "👍" });
    expect(body.reactions).toEqual([{ emoji: "👍", fromMe: true, name: agent.name }]);
    await desk.app.settle();
    clock.advance({ seconds: 1 });
    expect((await agent.post<Message>(`/messages/${message!.id}/reaction`, { emoji: "" })).body.reactions).toEqual([]);
    await desk.app.settle();
    expect(line.sent.map(({ content }) => content)).toMatchObject([
      { kind: "reaction", target: { waId: "in-oi", fromMe: false }, emoji: "👍" },
      { kind: "reaction", emoji: "" },
    ]);
  });

  test("in a group receipt, quote and reaction name the author by the address that WhatsApp uses (M-17)", async () => {
    await hear(["oi"]);
    await desk.rows(`update messages set participant = '{"number":"5544","name":"Rui","phone":null,"lid":"5544"}'`);
    const [message] = (await page()).messages;
    expect(message).toMatchObject({ participant: { number: "5544", name: "Rui" } });
    expect(Object.keys(message!.participant!)).toEqual(["number", "name"]);
    await say("olá", { quotedMsgId: message!.id });
    await agent.post(`/messages/${message!.id}/reaction`, { emoji: "👍" });
    await desk.app.settle();

    const author = { phone: null, lid: "5544" };
    expect(line.read[0]?.refs).toMatchObject([{ waId: "in-oi", participant: author }]);
    expect(line.sent.map(({ content }) => content)).toMatchObject([
      { kind: "text", quoted: { waId: "in-oi", participant: author } },
      { kind: "reaction", target: { waId: "in-oi", fromMe: false, participant: author } },
    ]);
  });

  test("messages of the contact, of others and of other companies are not ours to change", async () => {
    await hear(["deles"]);
    const [message] = (await page()).messages;
    expect(await agent.post(`/messages/edit/${message!.id}`, { body: "x" })).toMatchObject({ status: 400 });
    // Only words are edited: WhatsApp would put a text where a place is shown here.
    const place = (await say("", { location: { latitude: 1, longitude: 2 } })).body[0]!;
    expect(await agent.post(`/messages/edit/${place.id}`, { body: "x" })).toMatchObject({
      status: 400,
      body: { error: "ERR_EDIT_WAPP_MSG" },
    });
    expect(await agent.delete(`/messages/${message!.id}`)).toMatchObject({
      status: 400,
      body: { error: "ERR_DELETE_WAPP_MSG" },
    });
    const colleague = await desk.person("user");
    expect(await colleague.delete(`/messages/${message!.id}`)).toMatchObject({ status: 403 });
    const stranger = await (await desk.neighbour()).person("admin");
    for (const answer of [
      await stranger.delete(`/messages/${message!.id}`),
      await stranger.post(`/messages/edit/${message!.id}`, { body: "x" }),
      await stranger.post(`/messages/${message!.id}/reaction`, { emoji: "x" }),
      await stranger.post(`/messages/${message!.id}/retry`),
      await stranger.post(`/messages/${message!.id}/media`),
      await stranger.get(`/messages/${message!.id}/edits`),
      await stranger.get(`/messages/${ticketId}`),
      await stranger.post(`/messages/${ticketId}/read`),
    ]) {
      expect(answer.status).toBe(404);
    }
  });
});

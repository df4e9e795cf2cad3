import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { contacts, messages, scheduledMessages } from "@prosa/contract";
import type { Schedule } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { createBotScenario, createFakeLineApp, inAnotherProcess } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import { aCompany, aUser } from "#server/testing/factories.ts";
import { loseCommitAnswer } from "#server/testing/lose-commit-answer.ts";
import { storageKeyOf } from "#server/testing/media.ts";
import { SendError } from "#server/whatsapp/port.ts";

let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  fakeLineApp = await createFakeLineApp(createMessagesFeature);
});
afterAll(() => fakeLineApp.app.close());

const maria = "5511988887777";
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const pdf = Buffer.from("%PDF-1.4\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n");

interface Desk extends BotScenario {
  readonly contactId: number;
}

async function aDesk(): Promise<Desk> {
  const scenario = await createBotScenario(fakeLineApp);
  await scenario.sendTexts(maria, "oi");
  return { ...scenario, contactId: (await scenario.ticketOf(maria)).contactId };
}

function upload(bytes: Uint8Array<ArrayBuffer> | string = png, name = "mesa.png", type = "image/png"): FormData {
  const form = new FormData();
  form.set("file", new File([bytes], name, { type }));
  return form;
}

const inAnHour = ({ clock }: Desk) => new Date(clock.now().getTime() + 3_600_000).toISOString();
const wishOf = (desk: Desk) => ({ body: "Oi {{firstName}}, veja", contactId: desk.contactId, sendAt: inAnHour(desk) });

async function scheduled(desk: Desk): Promise<Schedule> {
  return (await desk.admin.call(scheduledMessages.create, { body: wishOf(desk) })).body;
}

const attach = ({ admin }: Desk, { id }: Schedule, form = upload()) =>
  admin.post<Schedule & { error: string }>(`/schedules/${id}/media-upload`, form);
const read = async ({ admin }: Desk, { id }: Schedule) =>
  (await admin.call(scheduledMessages.get, { params: { id } })).body;
const isStored = async ({ app }: Desk, address: string | null) =>
  (await app.services.storage.stat(storageKeyOf(app, address))) !== undefined;

test("a picture is sent once with the text as its caption, by two processes, and stays with its message (O-03)", async () => {
  const desk = await aDesk();
  const other = await inAnotherProcess(desk);
  const made = await scheduled(desk);
  const { body: attached } = await attach(desk, made);
  expect(attached).toMatchObject({ id: made.id, mediaName: "mesa.png", status: "PENDENTE" });
  expect(await desk.app.as(undefined).get(attached.mediaUrl ?? "")).toMatchObject({
    status: 200,
    headers: { "content-type": "image/png" },
  });

  desk.clock.advance({ minutes: 60 });
  await Promise.all([desk.app.settle(), other.app.settle()]);
  expect(await desk.receivedTexts(maria)).toEqual(["mesa.png: Oi Maria, veja"]);
  const message = (await desk.messagesOf(maria)).at(-1);
  expect(message).toMatchObject({ mediaType: "image", body: "Oi Maria, veja", ack: 1 });
  expect(await read(desk, made)).toMatchObject({ status: "ENVIADA", mediaName: "mesa.png" });

  // deleting the schedule leaves the conversation its picture
  await desk.admin.call(scheduledMessages.remove, { params: { id: made.id } });
  expect((await desk.app.as(undefined).get(message?.mediaUrl ?? "")).status).toBe(200);
});

test("a new schedule brings its file along in one multipart, so that it cannot be sent without it (O-03)", async () => {
  const desk = await aDesk();
  const form = upload(pdf, "proposta março.pdf", "application/pdf");
  Object.entries(wishOf(desk)).forEach(([name, value]) => form.set(name, String(value)));
  const { status, body } = await desk.admin.post<Schedule>("/schedules", form);
  expect([status, body]).toMatchObject([200, { mediaName: "proposta março.pdf", status: "PENDENTE" }]);
  desk.clock.advance({ minutes: 60 });
  expect(await desk.receivedTexts(maria)).toEqual(["proposta março.pdf: Oi Maria, veja"]);

  const refused = upload();
  Object.entries({ ...wishOf(desk), contactId: 2_000_000_000 }).forEach(([name, value]) =>
    refused.set(name, `${value}`),
  );
  expect((await desk.admin.post<{ error: string }>("/schedules", refused)).body.error).toBe("ERR_NO_CONTACT_FOUND");
  const left: string[] = [];
  for await (const key of desk.app.services.storage.list(desk.company.id, "schedules")) {
    left.push(key);
  }
  expect(left).toEqual([storageKeyOf(desk.app, body.mediaPath)]);
});

test("a request that is sent again, also by two processes at once, makes one schedule and keeps one file (O-03)", async () => {
  const desk = await aDesk();
  const other = await inAnotherProcess(desk);
  const clientId = randomUUID();
  const form = () => {
    const all = upload();
    Object.entries({ ...wishOf(desk), clientId }).forEach(([name, value]) => all.set(name, `${value}`));
    return all;
  };
  const made = await Promise.all([
    desk.admin.post<Schedule>("/schedules", form()),
    other.admin.post<Schedule>("/schedules", form()),
  ]);
  desk.clock.advance({ minutes: 60 });
  made.push(await desk.admin.post<Schedule>("/schedules", form()));
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
  const left: string[] = [];
  for await (const key of desk.app.services.storage.list(desk.company.id, "schedules")) {
    left.push(key);
  }
  expect(left).toEqual([storageKeyOf(desk.app, made[0]!.body.mediaPath)]);
});

test("one whose commit was not answered keeps its file, and the repeat finds both (O-03)", async () => {
  const desk = await aDesk();
  const wish = { ...wishOf(desk), clientId: randomUUID() };
  const send = () => {
    const form = upload();
    Object.entries(wish).forEach(([name, value]) => form.set(name, `${value}`));
    return desk.admin.post<Schedule>("/schedules", form);
  };
  loseCommitAnswer(desk.app);
  expect((await send()).status).toBeGreaterThanOrEqual(500);
  const { status, body } = await send();
  expect(status).toBe(200);
  expect(await isStored(desk, body.mediaPath)).toBe(true);
});

test("a file is replaced and taken off, and what is not sent leaves no file behind (O-03)", async () => {
  const desk = await aDesk();
  const made = await scheduled(desk);
  const { body: first } = await attach(desk, made);
  const { body: second } = await attach(desk, made, upload(png, "outra.png"));
  expect(second.mediaName).toBe("outra.png");
  expect([await isStored(desk, first.mediaPath), await isStored(desk, second.mediaPath)]).toEqual([false, true]);

  const bare = await desk.admin.delete<Schedule>(`/schedules/${made.id}/media-upload`);
  expect(bare.body).toMatchObject({ mediaPath: null, mediaName: null, mediaUrl: null, body: made.body });
  expect(await isStored(desk, second.mediaPath)).toBe(false);
  const { body: third } = await attach(desk, made);
  await desk.admin.call(scheduledMessages.remove, { params: { id: made.id } });
  expect(await isStored(desk, third.mediaPath)).toBe(false);
});

test("the file of a sent one cannot be changed, and the refused upload is not kept (O-03)", async () => {
  const desk = await aDesk();
  const made = await scheduled(desk);
  const { body } = await attach(desk, made);
  desk.clock.advance({ minutes: 60 });
  await desk.app.settle();
  expect((await attach(desk, made, upload(png, "tarde.png"))).body).toMatchObject({ error: "ERR_EDIT_TOO_LATE" });
  const off = await desk.admin.delete<{ error: string }>(`/schedules/${made.id}/media-upload`);
  expect(off.body.error).toBe("ERR_EDIT_TOO_LATE");
  expect(storageKeyOf(desk.app, (await read(desk, made)).mediaPath)).toBe(storageKeyOf(desk.app, body.mediaPath));
  expect(await isStored(desk, body.mediaPath)).toBe(true);
});

test("a page that claims to be a picture is refused with 415, no file with 400 (O-03)", async () => {
  const desk = await aDesk();
  const made = await scheduled(desk);
  const page = upload("<html><script>1</script></html>", "x.png");
  expect(await attach(desk, made, page)).toMatchObject({ status: 415, body: { error: "ERR_FILE_TYPE" } });
  expect((await attach(desk, made, new FormData())).status).toBe(400);
  expect(await read(desk, made)).toMatchObject({ mediaPath: null });
});

test("only the author and admins attach files and try again (O-03, N-06)", async () => {
  const desk = await aDesk();
  const made = await scheduled(desk);
  const colleague = desk.app.as(await aUser(desk.company));
  const stranger = desk.app.as((await aCompany(desk.app)).admin);
  const calls = (who: typeof colleague) => [
    who.post(`/schedules/${made.id}/media-upload`, upload()),
    who.delete(`/schedules/${made.id}/media-upload`),
    who.post(`/schedules/${made.id}/retry`),
  ];
  const statuses = async (who: typeof colleague) => (await Promise.all(calls(who))).map(({ status }) => status);
  expect(await statuses(colleague)).toEqual([403, 403, 403]);
  expect(await statuses(stranger)).toEqual([404, 404, 404]);
  expect(await statuses(desk.app.as(undefined))).toEqual([401, 401, 401]);
});

test("what WhatsApp refused is shown at once on the calendar, and tried again as the same message (behaviour 7)", async () => {
  const desk = await aDesk();
  const made = await scheduled(desk);
  await attach(desk, made);
  const socket = await desk.app.connect(desk.company.admin);
  const told = async () => {
    await desk.app.settle();
    await socket.flushed();
    return socket.packets
      .filter(({ event }) => event.endsWith("-schedule"))
      .map(({ payload }) => (payload as { record: Schedule }).record)
      .at(-1);
  };
  const waIds: string[] = [];
  desk.line.onSend = ({ waId }) => {
    waIds.push(waId);
    throw new SendError("notAllowed", false);
  };
  desk.clock.advance({ minutes: 60 });
  expect(await told()).toMatchObject({ id: made.id, status: "ERRO", error: "notAllowed" });

  desk.line.onSend = ({ waId }) => void waIds.push(waId);
  const again = await desk.admin.call(scheduledMessages.retry, { params: { id: made.id } });
  expect(again.body).toMatchObject({ status: "ENVIADA", error: null });
  expect(await desk.receivedTexts(maria)).toEqual(["mesa.png: Oi Maria, veja"]);
  expect(await told()).toMatchObject({ status: "ENVIADA" });
  expect(waIds).toEqual([waIds[0], waIds[0]]);
  // pressed again by an impatient agent
  await desk.admin.call(scheduledMessages.retry, { params: { id: made.id } });
  expect(await desk.receivedTexts(maria)).toEqual([]);
});

test("one that was never given to the conversation is tried again now, with its file (behaviour 7)", async () => {
  const desk = await aDesk();
  const made = await scheduled(desk);
  await attach(desk, made);
  const block = (blocked: boolean) =>
    desk.admin.call(contacts.block, { params: { id: desk.contactId }, body: { blocked } });
  await block(true);
  desk.clock.advance({ minutes: 60 });
  await desk.app.settle();
  expect(await read(desk, made)).toMatchObject({ status: "ERRO", error: "ERR_CONTACT_BLOCKED" });
  await block(false);
  await desk.admin.call(scheduledMessages.retry, { params: { id: made.id } });
  expect(await desk.receivedTexts(maria)).toEqual(["mesa.png: Oi Maria, veja"]);
  expect(await read(desk, made)).toMatchObject({ status: "ENVIADA", isLate: false });
});

test("an agent's retry from the conversation clears the error on the calendar (behaviour 7)", async () => {
  const desk = await aDesk();
  const made = await scheduled(desk);
  desk.line.onSend = () => {
    throw new SendError("notAllowed", false);
  };
  desk.clock.advance({ minutes: 60 });
  await desk.app.settle();
  desk.line.onSend = () => undefined;
  const socket = await desk.app.connect(desk.company.admin);
  const { id } = await desk.ticketOf(maria);
  await desk.admin.put(`/tickets/${id}`, { status: "open" });
  const failed = (await desk.messagesOf(maria)).find(({ ack }) => ack === -1);
  await desk.admin.call(messages.retry, { params: { messageId: failed?.id ?? 0 } });
  await desk.app.settle();
  expect((await socket.next(`company-${desk.company.id}-schedule`)).payload).toMatchObject({
    record: { id: made.id, status: "ENVIADA", error: null },
  });
});

test("audio carries no caption: the text goes before it, and either failure shows (O-03)", async () => {
  const desk = await aDesk();
  const made = await scheduled(desk);
  const mp3 = await readFile(new URL("../../testing/voice.mp3", import.meta.url));
  expect((await attach(desk, made, upload(mp3, "aviso.mp3", "audio/mpeg"))).status).toBe(200);
  desk.line.onSend = ({ content }) => {
    if (content.kind !== "text") {
      throw new SendError("notAllowed", false);
    }
  };
  desk.clock.advance({ minutes: 60 });
  expect(await desk.receivedTexts(maria)).toEqual(["Oi Maria, veja"]);
  expect(await read(desk, made)).toMatchObject({ status: "ERRO", error: "notAllowed" });
});

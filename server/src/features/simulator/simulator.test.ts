import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { simulator } from "@prosa/contract";
import type { SimMessage } from "@prosa/contract";
import { WaSim } from "@prosa/wa-sim";
import { serveControl } from "@prosa/wa-sim/control";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestCaller } from "#server/testing/app.ts";
import { aCompany, aConnection, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { ownerNumber } from "./numbers.ts";
import { recall, recallGroups } from "./recall.ts";
import { loadSimulatorConnection, openLine } from "./sim-line.ts";

let app: TestApp;
let sim: WaSim;
let stopControl: () => Promise<void>;

beforeAll(async () => {
  app = await createTestApp();
  sim = await WaSim.start({ autoCreatePersons: true });
  const token = "only for this test";
  const control = await serveControl(sim, { token });
  stopControl = () => control.stop();

  const folder = join(app.services.config.dataDir, "simulator");
  const { wsUrl, mediaOrigin, caFile, rootPublicKey } = sim;
  const address = { controlUrl: control.url, wsUrl, mediaOrigin, caFile, token, pid: process.pid };
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "address.json"),
    JSON.stringify({ ...address, rootPublicKey: rootPublicKey.toString("base64") }),
  );
});

afterAll(async () => {
  await stopControl();
  await sim.stop();
  await app.close();
});

interface Stage {
  readonly company: TestCompany;
  readonly admin: TestCaller;
  readonly id: number;
}

async function aStage(): Promise<Stage> {
  const company = await aCompany(app);
  const { id } = await aConnection(company, { provider: "simulator" });
  return { company, admin: app.as(company.admin), id };
}

async function aPerson({ admin, id }: Stage, name = "Rosa"): Promise<string> {
  const { body } = await admin.call(simulator.addPerson, { params: { id }, body: { name } });
  return body.number;
}

async function chatOf({ admin, id }: Stage, number: string): Promise<SimMessage[]> {
  return (await admin.call(simulator.chat, { params: { id, number } })).body;
}

async function say({ admin, id }: Stage, number: string, body: object | FormData) {
  return admin.post(`/simulator/${id}/people/${number}/messages`, body);
}

test("a person with a Brazilian mobile number writes, and is in the list with the last words (W-07)", async () => {
  const stage = await aStage();
  const number = await aPerson(stage);
  expect(number).toMatch(/^55\d{2}9\d{8}$/);
  await say(stage, number, { body: "Tem pão?" });

  const { body } = await stage.admin.call(simulator.people, { params: { id: stage.id } });
  expect(body.phone).toEqual({ number: ownerNumber(stage.id), linked: false });
  expect(body.people).toEqual([{ number, name: "Rosa", lastText: "Tem pão?", lastAt: expect.any(String), unread: 0 }]);
});

test("files go out by what they are, and are shown under a signed address (W-07)", async () => {
  const stage = await aStage();
  const number = await aPerson(stage);
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const form = new FormData();
  form.set("body", "Veja");
  form.append("medias", new Blob([png]), "foto.png");
  form.append("medias", new Blob(["a;b\n"]), "lista.csv");
  expect((await say(stage, number, form)).status).toBe(200);

  const [picture, sheet] = await chatOf(stage, number);
  expect(picture).toMatchObject({ kind: "image", text: "Veja", fromMe: true, ack: 1 });
  expect(sheet).toMatchObject({ kind: "document", text: "", fileName: "lista.csv" });
  const file = await fetch(new URL(picture!.mediaUrl!, await app.listen()));
  expect(file.headers.get("content-type")).toBe("image/png");
  expect(Buffer.from(await file.arrayBuffer())).toEqual(png);
});

test("the person sees what the line writes; edits, deletes and reacts to what is there (W-07)", async () => {
  const stage = await aStage();
  const number = await aPerson(stage);
  await say(stage, number, { body: "Oi" });
  const { id: answer } = await sim.phone(ownerNumber(stage.id)).sends(number, "Olá, Rosa");
  expect(await chatOf(stage, number)).toMatchObject([
    { text: "Oi", fromMe: true },
    { text: "Olá, Rosa", fromMe: false },
  ]);

  const [own] = await chatOf(stage, number);
  await say(stage, number, { body: "Oi, tudo bem?", edit: own!.id });
  await say(stage, number, { body: "🙏", react: answer });
  expect(await chatOf(stage, number)).toMatchObject([{ text: "Oi, tudo bem?", edited: true }, { reaction: "🙏" }]);
  await say(stage, number, { revoke: own!.id });
  expect(await chatOf(stage, number)).toMatchObject([{ text: "", deleted: true }, {}]);
});

test("looking at the chat takes the unread count away (W-07)", async () => {
  const stage = await aStage();
  const number = await aPerson(stage);
  await stage.admin.call(simulator.people, { params: { id: stage.id } });
  await sim.phone(ownerNumber(stage.id)).sends(number, "Seu pedido chegou");
  const unread = async () =>
    (await stage.admin.call(simulator.people, { params: { id: stage.id } })).body.people.map((one) => one.unread);
  expect(await unread()).toEqual([1]);
  await stage.admin.call(simulator.read, { params: { id: stage.id, number } });
  expect(await unread()).toEqual([0]);
});

test("somebody whom only the desk wrote to is there too, and can answer", async () => {
  const stage = await aStage();
  await stage.admin.call(simulator.people, { params: { id: stage.id } });
  await sim.phone(ownerNumber(stage.id)).sends("5521970001234", "Bom dia");
  expect((await say(stage, "5521970001234", { body: "Quem é?" })).status).toBe(200);
});

test("numbers do not collide between companies, and no line sees another's people (W-07)", async () => {
  const [ours, theirs] = [await aStage(), await aStage()];
  const number = await aPerson(theirs, "Deles");
  await say(theirs, number, { body: "Segredo" });

  const taken = await ours.admin.call(simulator.addPerson, {
    params: { id: ours.id },
    body: { name: "Nosso", number },
  });
  expect(taken.status).toBe(400);
  const foreign = await ours.admin.get(`/simulator/${ours.id}/people/${number}/messages`);
  expect(foreign.text).toContain("ERR_NO_CONTACT_FOUND");
  expect((await say(ours, number, { body: "Oi" })).status).toBe(404);
  expect((await ours.admin.get(`/simulator/${theirs.id}/people`)).status).toBe(404);
});

test("a message of somebody else cannot be edited", async () => {
  const stage = await aStage();
  const [one, other] = [await aPerson(stage), await aPerson(stage, "Beto")];
  await say(stage, one, { body: "Meu" });
  const [message] = await chatOf(stage, one);
  expect((await say(stage, other, { body: "Seu", edit: message!.id })).text).toContain("ERR_NO_MESSAGE_FOUND");
});

test("a line of real people has no phone screen; nobody but admins has one (W-07)", async () => {
  const stage = await aStage();
  const { id } = await aConnection(stage.company, { provider: "beta" });
  expect((await stage.admin.get(`/simulator/${id}/people`)).text).toContain("ERR_WAPP_NOT_SIMULATOR");
  expect((await app.as(await aUser(stage.company)).get(`/simulator/${stage.id}/people`)).status).toBe(403);
  expect((await app.as(undefined).get(`/simulator/${stage.id}/people`)).status).toBe(401);
});

test("scanning needs a QR, a call needs somebody who calls", async () => {
  const { admin, id } = await aStage();
  expect((await admin.call(simulator.scan, { params: { id } })).text).toContain("ERR_WAPP_NOT_INITIALIZED");
  expect((await admin.call(simulator.fault, { params: { id }, body: { kind: "call" } })).status).toBe(400);
  expect((await admin.call(simulator.fault, { params: { id }, body: { kind: "drop" } })).status).toBe(200);
});

test("the switch of the people's own life is kept, and not shared with other lines", async () => {
  const [stage, other] = [await aStage(), await aStage()];
  const lively = async ({ admin, id }: Stage) => (await admin.call(simulator.people, { params: { id } })).body.lively;
  expect(await lively(stage)).toBe(false);
  await stage.admin.call(simulator.lively, { params: { id: stage.id }, body: { lively: true } });
  expect([await lively(stage), await lively(other)]).toEqual([true, false]);
  expect((await other.admin.put(`/simulator/${stage.id}/lively`, { lively: true })).status).toBe(404);
});

test("the phones of the demo remember what the desk already knows (W-07)", async () => {
  const stage = await aStage();
  const number = await aPerson(stage);
  await stage.admin.call(simulator.people, { params: { id: stage.id } });
  const connection = await stage.company.inside((ctx) => loadSimulatorConnection(ctx, stage.id));
  const line = await openLine(app.services.config.dataDir, stage.company.id, connection);
  const said = { number, name: "Rosa", storage_key: null, file_name: null, mime_type: null, is_voice: null };
  const rows = [
    { ...said, wa_id: "A1", from_me: false, ack: 0, body: "Ontem comprei", sent_at: new Date("2026-03-01T12:00:00Z") },
    { ...said, wa_id: "B1", from_me: true, ack: 3, body: "Chegou?", sent_at: new Date("2026-03-01T12:01:00Z") },
  ];
  await recall(app.services.storage, line, rows);
  await recall(app.services.storage, line, rows);

  expect(await chatOf(stage, number)).toMatchObject([
    { text: "Ontem comprei", fromMe: true, ack: 3, at: "2026-03-01T12:00:00.000Z" },
    { text: "Chegou?", fromMe: false },
  ]);
  const { body } = await stage.admin.call(simulator.people, { params: { id: stage.id } });
  expect(body.people).toMatchObject([{ lastText: "Chegou?", unread: 0 }]);
});

describe("groups (W-07, M-17)", () => {
  const GROUP = "120363041228867310";
  const said = { group_id: GROUP, subject: "Condomínio", storage_key: null, file_name: null, mime_type: null };
  const old = { ...said, is_voice: null, from_me: false, ack: 0, sent_at: new Date("2026-03-01T12:00:00Z") };

  test("a group that the desk knows is made on the network, with what was said in it, once", async () => {
    const stage = await aStage();
    const connection = await stage.company.inside((ctx) => loadSimulatorConnection(ctx, stage.id));
    const line = await openLine(app.services.config.dataDir, stage.company.id, connection);
    const rows = [
      { ...old, number: "5511988881001", name: "Síndico", wa_id: "G1", body: "Entrega no prédio?" },
      { ...old, number: "5511988881002", name: "Bete", wa_id: "G2", body: "Entrega sim" },
    ];
    await recallGroups(app.services.storage, line, rows);
    await recallGroups(app.services.storage, line, rows);

    const { body } = await stage.admin.call(simulator.people, { params: { id: stage.id } });
    expect(body.groups).toMatchObject([{ id: GROUP, name: "Condomínio", lastText: "Entrega sim" }]);
    const chat = await stage.admin.call(simulator.groupChat, { params: { id: stage.id, group: GROUP } });
    expect(chat.body).toMatchObject([
      { text: "Entrega no prédio?", author: { name: "Síndico" } },
      { text: "Entrega sim", author: { name: "Bete" } },
    ]);
    expect((await line.client.call("groups", { line: line.number })).map(({ id }) => id)).toEqual([GROUP]);
  });

  test("people of a line are put in a group and write there, each under their name; nobody else does", async () => {
    const stage = await aStage();
    const numbers = [await aPerson(stage), await aPerson(stage, "Beto")];
    const made = await stage.admin.call(simulator.addGroup, {
      params: { id: stage.id },
      body: { name: "Obra", numbers },
    });
    const params = { id: stage.id, group: made.body.id };
    await stage.admin.call(simulator.groupSay, { params, body: { number: numbers[0]!, body: "Bom dia" } });
    await stage.admin.call(simulator.groupSay, { params, body: { number: numbers[1]!, body: "Bom dia, Rosa" } });

    const { body } = await stage.admin.call(simulator.groupChat, { params });
    expect(body).toMatchObject([
      { text: "Bom dia", author: { name: "Rosa" } },
      { text: "Bom dia, Rosa", author: { name: "Beto" } },
    ]);
    // What is said in a group is not in the chat with the line.
    expect(await chatOf(stage, numbers[1]!)).toEqual([]);

    const stranger = { number: "5511988887000", body: "oi" };
    expect((await stage.admin.call(simulator.groupSay, { params, body: stranger })).status).toBe(404);
    const theirs = await aStage();
    const elsewhere = { params: { id: theirs.id, group: params.group } };
    expect((await theirs.admin.call(simulator.groupChat, elsewhere)).status).toBe(404);
  });
});

test("a person is given a profile picture, and only that (T-04)", async () => {
  const stage = await aStage();
  const number = await aPerson(stage);
  const give = (bytes: Uint8Array, name: string) => {
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(bytes)]), name);
    return stage.admin.post(`/simulator/${stage.id}/people/${number}/picture`, form);
  };
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  expect((await give(png, "rosa.png")).status).toBe(200);
  expect(sim.person(number).picture).toMatch(/^\/p\//);
  expect((await give(Buffer.from("no picture"), "rosa.png")).status).not.toBe(200);
});

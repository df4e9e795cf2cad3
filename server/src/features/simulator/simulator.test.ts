import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { simulator } from "@prosa/contract";
import type { SimMessage } from "@prosa/contract";
import { WaSim } from "@prosa/wa-sim";
import { serveControl } from "@prosa/wa-sim/control";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createSweep } from "#server/platform/storage/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestCaller } from "#server/testing/app.ts";
import { aCompany, aConnection, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { testLog } from "#server/testing/database.ts";
import { feature } from "./feature.ts";
import { ownerNumber } from "./phone-numbers.ts";
import { restoreChats, restoreGroups } from "./history/restore-history.ts";
import { loadSimulatorConnection, openSimulatorLine } from "./simulator-line.ts";

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

interface Scenario {
  readonly company: TestCompany;
  readonly admin: TestCaller;
  readonly id: number;
}

async function aScenario(): Promise<Scenario> {
  const company = await aCompany(app);
  const { id } = await aConnection(company, { provider: "simulator" });
  return { company, admin: app.as(company.admin), id };
}

async function aPerson({ admin, id }: Scenario, name = "Rosa"): Promise<string> {
  const { body } = await admin.call(simulator.addPerson, { params: { id }, body: { name } });
  return body.number;
}

async function chatOf({ admin, id }: Scenario, number: string): Promise<SimMessage[]> {
  return (await admin.call(simulator.chat, { params: { id, number } })).body;
}

async function send({ admin, id }: Scenario, number: string, body: object | FormData) {
  return admin.post(`/simulator/${id}/people/${number}/messages`, body);
}

test("a person with a Brazilian mobile number writes, and is in the list with the last message (W-07)", async () => {
  const scenario = await aScenario();
  const number = await aPerson(scenario);
  expect(number).toMatch(/^55\d{2}9\d{8}$/);
  await send(scenario, number, { body: "Tem pão?" });

  const { body } = await scenario.admin.call(simulator.people, { params: { id: scenario.id } });
  expect(body.phone).toMatchObject({ number: ownerNumber(scenario.id), linked: false });
  expect(body.people).toEqual([{ number, name: "Rosa", lastText: "Tem pão?", lastAt: expect.any(String), unread: 0 }]);
});

test("files are sent by their kind, and shown under a signed URL (W-07)", async () => {
  const scenario = await aScenario();
  const number = await aPerson(scenario);
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const form = new FormData();
  form.set("body", "Veja");
  form.append("medias", new Blob([png]), "foto.png");
  form.append("medias", new Blob(["a;b\n"]), "lista.csv");
  expect((await send(scenario, number, form)).status).toBe(200);

  const [picture, sheet] = await chatOf(scenario, number);
  expect(picture).toMatchObject({ kind: "image", text: "Veja", fromMe: true, ack: 1 });
  expect(sheet).toMatchObject({ kind: "document", text: "", fileName: "lista.csv" });
  const file = await fetch(new URL(new URL(picture!.mediaUrl!).pathname, await app.listen()));
  expect(file.headers.get("content-type")).toBe("image/png");
  expect(Buffer.from(await file.arrayBuffer())).toEqual(png);

  const sound = new FormData();
  sound.set("body", "Escuta");
  sound.append("medias", new Blob([await readFile(new URL("../../testing/voice.mp3", import.meta.url))]), "voz.mp3");
  expect((await send(scenario, number, sound)).status).toBe(200);
  expect((await chatOf(scenario, number)).slice(2)).toMatchObject([
    { kind: "text", text: "Escuta" },
    { kind: "audio", text: "" },
  ]);
});

test("the phone's copy of a file is deleted after a day, and made anew for who looks again (W-07, V-02)", async () => {
  const scenario = await aScenario();
  const number = await aPerson(scenario);
  const form = new FormData();
  form.append("medias", new Blob(["a;b\n"]), "lista.csv");
  await send(scenario, number, form);
  const { storage } = app.services;
  const copies = async () => {
    const keys: string[] = [];
    for await (const key of storage.list(scenario.company.id, "simulator")) {
      keys.push(key);
    }
    return keys;
  };
  await chatOf(scenario, number);
  expect(await copies()).toEqual([expect.stringContaining(number)]);

  const clock = createMovedClock(new Date(Date.now() + 2 * 86_400_000));
  const night = { db: app.db, clock, log: testLog, signal: new AbortController().signal };
  await createSweep(storage, feature.files ?? []).run(night);
  expect(await copies()).toEqual([]);
  const [sheet] = await chatOf(scenario, number);
  expect((await fetch(new URL(new URL(sheet!.mediaUrl!).pathname, await app.listen()))).status).toBe(200);
});

test("the person sees the line's messages; edits, deletes and reacts to messages (W-07)", async () => {
  const scenario = await aScenario();
  const number = await aPerson(scenario);
  await send(scenario, number, { body: "Oi" });
  const { id: answer } = await sim.phone(ownerNumber(scenario.id)).sends(number, "Olá, Rosa");
  expect(await chatOf(scenario, number)).toMatchObject([
    { text: "Oi", fromMe: true },
    { text: "Olá, Rosa", fromMe: false },
  ]);

  const [own] = await chatOf(scenario, number);
  await send(scenario, number, { body: "Oi, tudo bem?", edit: own!.id });
  await send(scenario, number, { body: "🙏", react: answer });
  expect(await chatOf(scenario, number)).toMatchObject([{ text: "Oi, tudo bem?", edited: true }, { reaction: "🙏" }]);
  await send(scenario, number, { revoke: own!.id });
  expect(await chatOf(scenario, number)).toMatchObject([{ text: "", deleted: true }, {}]);
});

test("reading the chat resets the unread count (W-07)", async () => {
  const scenario = await aScenario();
  const number = await aPerson(scenario);
  await scenario.admin.call(simulator.people, { params: { id: scenario.id } });
  await sim.phone(ownerNumber(scenario.id)).sends(number, "Seu pedido chegou");
  const unread = async () =>
    (await scenario.admin.call(simulator.people, { params: { id: scenario.id } })).body.people.map((one) => one.unread);
  expect(await unread()).toEqual([1]);
  await scenario.admin.call(simulator.read, { params: { id: scenario.id, number } });
  expect(await unread()).toEqual([0]);
});

test("a person whom only the line wrote to is listed too, and can answer", async () => {
  const scenario = await aScenario();
  await scenario.admin.call(simulator.people, { params: { id: scenario.id } });
  await sim.phone(ownerNumber(scenario.id)).sends("5521970001234", "Bom dia");
  expect((await send(scenario, "5521970001234", { body: "Quem é?" })).status).toBe(200);
});

test("numbers do not collide between companies, and no line sees another's people (W-07)", async () => {
  const [ours, theirs] = [await aScenario(), await aScenario()];
  const number = await aPerson(theirs, "Deles");
  await send(theirs, number, { body: "Segredo" });

  const taken = await ours.admin.call(simulator.addPerson, {
    params: { id: ours.id },
    body: { name: "Nosso", number },
  });
  expect(taken.status).toBe(400);
  const foreign = await ours.admin.get(`/simulator/${ours.id}/people/${number}/messages`);
  expect(foreign.text).toContain("ERR_NO_CONTACT_FOUND");
  expect((await send(ours, number, { body: "Oi" })).status).toBe(404);
  expect((await ours.admin.get(`/simulator/${theirs.id}/people`)).status).toBe(404);
});

test("a message of another conversation cannot be edited", async () => {
  const scenario = await aScenario();
  const [one, other] = [await aPerson(scenario), await aPerson(scenario, "Beto")];
  await send(scenario, one, { body: "Meu" });
  const [message] = await chatOf(scenario, one);
  expect((await send(scenario, other, { body: "Seu", edit: message!.id })).text).toContain("ERR_NO_MESSAGE_FOUND");
});

test("another provider's line has no phone screen; only admins have access (W-07)", async () => {
  const scenario = await aScenario();
  const { id } = await aConnection(scenario.company, { provider: "beta" });
  expect((await scenario.admin.get(`/simulator/${id}/people`)).text).toContain("ERR_WAPP_NOT_SIMULATOR");
  expect((await app.as(await aUser(scenario.company)).get(`/simulator/${scenario.id}/people`)).status).toBe(403);
  expect((await app.as(undefined).get(`/simulator/${scenario.id}/people`)).status).toBe(401);
});

test("a scan needs a QR, a call needs a caller", async () => {
  const { admin, id } = await aScenario();
  expect((await admin.call(simulator.scan, { params: { id } })).text).toContain("ERR_WAPP_NOT_INITIALIZED");
  expect((await admin.call(simulator.fault, { params: { id }, body: { kind: "call" } })).status).toBe(400);
  expect((await admin.call(simulator.fault, { params: { id }, body: { kind: "drop" } })).status).toBe(200);
});

test("the setting of scripted customers is saved per line", async () => {
  const [scenario, other] = [await aScenario(), await aScenario()];
  const lively = async ({ admin, id }: Scenario) =>
    (await admin.call(simulator.people, { params: { id } })).body.lively;
  expect(await lively(scenario)).toBe(false);
  await scenario.admin.call(simulator.lively, { params: { id: scenario.id }, body: { lively: true } });
  expect([await lively(scenario), await lively(other)]).toEqual([true, false]);
  expect((await other.admin.put(`/simulator/${scenario.id}/lively`, { lively: true })).status).toBe(404);
});

test("stored conversations are restored on the phones of the demo (W-07)", async () => {
  const scenario = await aScenario();
  const number = await aPerson(scenario);
  await scenario.admin.call(simulator.people, { params: { id: scenario.id } });
  const connection = await scenario.company.inside((ctx) => loadSimulatorConnection(ctx, scenario.id));
  const line = await openSimulatorLine(app.services.config.dataDir, scenario.company.id, connection);
  const fields = { number, name: "Rosa", storage_key: null, file_name: null, mime_type: null, is_voice: null };
  const rows = [
    {
      ...fields,
      wa_id: "A1",
      from_me: false,
      ack: 0,
      body: "Ontem comprei",
      sent_at: new Date("2026-03-01T12:00:00Z"),
    },
    { ...fields, wa_id: "B1", from_me: true, ack: 3, body: "Chegou?", sent_at: new Date("2026-03-01T12:01:00Z") },
  ];
  await restoreChats(app.services.storage, line, rows);
  await restoreChats(app.services.storage, line, rows);

  expect(await chatOf(scenario, number)).toMatchObject([
    { text: "Ontem comprei", fromMe: true, ack: 3, at: "2026-03-01T12:00:00.000Z" },
    { text: "Chegou?", fromMe: false },
  ]);
  const { body } = await scenario.admin.call(simulator.people, { params: { id: scenario.id } });
  expect(body.people).toMatchObject([{ lastText: "Chegou?", unread: 0 }]);
});

describe("groups (W-07, M-17)", () => {
  const GROUP = "120363041228867310";
  const fields = { group_id: GROUP, subject: "Condomínio", storage_key: null, file_name: null, mime_type: null };
  const old = { ...fields, is_voice: null, from_me: false, ack: 0, sent_at: new Date("2026-03-01T12:00:00Z") };

  test("a stored group is created on the network with its messages, once", async () => {
    const scenario = await aScenario();
    const connection = await scenario.company.inside((ctx) => loadSimulatorConnection(ctx, scenario.id));
    const line = await openSimulatorLine(app.services.config.dataDir, scenario.company.id, connection);
    const rows = [
      { ...old, number: "5511988881001", name: "Síndico", wa_id: "G1", body: "Entrega no prédio?" },
      { ...old, number: "5511988881002", name: "Bete", wa_id: "G2", body: "Entrega sim" },
    ];
    await restoreGroups(app.services.storage, line, rows);
    await restoreGroups(app.services.storage, line, rows);

    const { body } = await scenario.admin.call(simulator.people, { params: { id: scenario.id } });
    expect(body.groups).toMatchObject([{ id: GROUP, name: "Condomínio", lastText: "Entrega sim" }]);
    const chat = await scenario.admin.call(simulator.groupChat, { params: { id: scenario.id, group: GROUP } });
    expect(chat.body).toMatchObject([
      { text: "Entrega no prédio?", author: { name: "Síndico" } },
      { text: "Entrega sim", author: { name: "Bete" } },
    ]);
    expect((await line.client.call("groups", { line: line.number })).map(({ id }) => id)).toEqual([GROUP]);
  });

  test("people of a line are added to a group and write in it under their names; others get 404", async () => {
    const scenario = await aScenario();
    const numbers = [await aPerson(scenario), await aPerson(scenario, "Beto")];
    const made = await scenario.admin.call(simulator.addGroup, {
      params: { id: scenario.id },
      body: { name: "Obra", numbers },
    });
    const params = { id: scenario.id, group: made.body.id };
    await scenario.admin.call(simulator.groupSay, { params, body: { number: numbers[0]!, body: "Bom dia" } });
    await scenario.admin.call(simulator.groupSay, { params, body: { number: numbers[1]!, body: "Bom dia, Rosa" } });

    const { body } = await scenario.admin.call(simulator.groupChat, { params });
    expect(body).toMatchObject([
      { text: "Bom dia", author: { name: "Rosa" } },
      { text: "Bom dia, Rosa", author: { name: "Beto" } },
    ]);
    // Messages of a group are not in the chat with the line.
    expect(await chatOf(scenario, numbers[1]!)).toEqual([]);

    const stranger = { number: "5511988887000", body: "oi" };
    expect((await scenario.admin.call(simulator.groupSay, { params, body: stranger })).status).toBe(404);
    const theirs = await aScenario();
    const elsewhere = { params: { id: theirs.id, group: params.group } };
    expect((await theirs.admin.call(simulator.groupChat, elsewhere)).status).toBe(404);
  });
});

test("a person's profile picture can be set; a file that is no image is refused (T-04)", async () => {
  const scenario = await aScenario();
  const number = await aPerson(scenario);
  const give = (bytes: Uint8Array, name: string) => {
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(bytes)]), name);
    return scenario.admin.post(`/simulator/${scenario.id}/people/${number}/picture`, form);
  };
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  expect((await give(png, "rosa.png")).status).toBe(200);
  expect(sim.person(number).picture).toMatch(/^\/p\//);
  expect((await give(Buffer.from("no picture"), "rosa.png")).status).not.toBe(200);
});

test("the phone screen limits new conversations of the line, and lifts the limits (P-04)", async () => {
  const { admin, id } = await aScenario();
  const limits = async () => (await admin.call(simulator.people, { params: { id } })).body.phone.limits;
  expect(await limits()).toEqual({ lockedUntil: null, cap: null });

  await admin.call(simulator.limit, { params: { id }, body: { kind: "lock", minutes: 30 } });
  await admin.call(simulator.limit, { params: { id }, body: { kind: "cap", used: 80, total: 100 } });
  const limited = await limits();
  expect(limited?.cap).toEqual({ used: 80, total: 100 });
  expect(new Date(limited?.lockedUntil ?? 0).getTime()).toBeGreaterThan(Date.now() + 29 * 60_000);

  await admin.call(simulator.limit, { params: { id }, body: { kind: "lift" } });
  expect(await limits()).toEqual({ lockedUntil: null, cap: null });
});

import { randomUUID } from "node:crypto";
import { campaignSettings, campaigns, tags } from "@prosa/contract";
import type { BodyIn, Campaign } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const noon = new Date("2026-05-04T12:00:00Z");
const clock = createMovedClock(noon);
const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000).toISOString();

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock });
});
afterAll(() => app.close());

async function anOffice() {
  clock.set(noon);
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const line = await aConnection(company);
  const list = await aList(company, ["Ana", "Beto", "Caio"]);
  const make = async (body: Partial<BodyIn<typeof campaigns.create>> = {}) => {
    const given = { name: "Natal", message1: "Oi {nome}", whatsappId: line.id, contactListId: list, ...body };
    return (await admin.call(campaigns.create, { body: given })).body;
  };
  const read = async (id: number) => (await admin.call(campaigns.get, { params: { id } })).body;
  return { company, admin, line, list, make, read };
}

/** A list whose first name is not on WhatsApp and whose other ones are. */
async function aList(company: TestCompany, names: readonly string[]): Promise<number> {
  return company.inside(async ({ db }) => {
    const { rows } = await sql<{ id: number }>`
      insert into contact_lists (company_id, name) values (${company.id}, ${`Clientes ${names.join()}`}) returning id`.execute(
      db,
    );
    await sql`
      insert into contact_list_items (company_id, contact_list_id, name, number, match_number, is_whatsapp_valid)
      select ${company.id}, ${rows[0]!.id}, name, '55119' || (80000000 + n), '5511' || (80000000 + n), n > 1
      from unnest(${names}::text[]) with ordinality as x(name, n)`.execute(db);
    return rows[0]!.id;
  });
}

const fieldsOf = (body: unknown) => (body as { details?: { fields?: Record<string, string> } }).details?.fields;

test("a campaign is inactive without a time and scheduled with one, and shows list, line and texts (K-03)", async () => {
  const { line, list, make, read } = await anOffice();
  const made = await make({ message3: "Olá {email}" });
  expect(made).toMatchObject({
    name: "Natal",
    status: "INATIVA",
    message1: "Oi {nome}",
    message2: "",
    message3: "Olá {email}",
    whatsappId: line.id,
    whatsapp: { id: line.id, name: line.name },
    contactListId: list,
    contactList: { contactsCount: 3, validCount: 2 },
    tagListId: null,
    scheduledAt: null,
    counts: { total: 0, sent: 0 },
  });
  const scheduled = await make({ scheduledAt: inMinutes(90) });
  expect(scheduled).toMatchObject({ status: "PROGRAMADA", scheduledAt: inMinutes(90) });
  expect(await read(scheduled.id)).toEqual({ ...scheduled, shipping: [] });
});

test("to be scheduled it needs something to say, a line and people; each field says what is missing (K-03)", async () => {
  const { admin, line, list } = await anOffice();
  const scheduledAt = inMinutes(90);
  const refused = async (body: object) => {
    const answer = await admin.call(campaigns.create, { body: { name: "Natal", scheduledAt, ...body } });
    expect(answer.status).toBe(400);
    return Object.keys(fieldsOf(answer.body) ?? {}).toSorted();
  };
  expect(await refused({})).toEqual(["contactListId", "message1", "whatsappId"]);
  expect(await refused({ message2: "  ", whatsappId: line.id, contactListId: list })).toEqual(["message1"]);
  expect(await refused({ message1: "Oi", confirmation: true, whatsappId: line.id, contactListId: list })).toEqual([
    "confirmationMessage1",
  ]);
  const tag = (await admin.call(tags.create, { body: { name: "VIP" } })).body;
  expect(await refused({ message1: "Oi", whatsappId: line.id, contactListId: list, tagListId: tag.id })).toEqual([
    "tagListId",
  ]);
  expect(await refused({ name: "N", message1: "Oi" })).toEqual(["name"]);
  const fine = { name: "Natal", scheduledAt, message1: "Oi", whatsappId: line.id, tagListId: tag.id };
  expect((await admin.call(campaigns.create, { body: fine })).body).toMatchObject({
    status: "PROGRAMADA",
    tagList: { name: "VIP" },
  });
});

test("a request that is sent again because its answer was lost makes no second campaign (K-03)", async () => {
  const { admin, make } = await anOffice();
  const clientId = randomUUID();
  const [first, again] = await Promise.all([make({ clientId }), make({ clientId })]);
  expect(again).toEqual(first);
  expect(await make({ clientId, name: "Natal outra vez" })).toEqual(first);
  expect((await make({ clientId: randomUUID() })).id).not.toBe(first.id);
  expect((await admin.call(campaigns.list)).body.count).toBe(2);
  // A copy is another campaign, and the request belongs to one company.
  expect((await admin.call(campaigns.clone, { params: { id: first.id } })).body.id).not.toBe(first.id);
  const other = await anOffice();
  expect((await other.make({ clientId })).id).not.toBe(first.id);
});

test("lines, lists, tags and file lists of another company are refused (K-03)", async () => {
  const [own, other] = [await anOffice(), await anOffice()];
  const update = async (body: BodyIn<typeof campaigns.update>) => {
    const { id } = await own.make();
    return (await own.admin.call(campaigns.update, { params: { id }, body })).status;
  };
  expect(await update({ whatsappId: other.line.id })).toBe(404);
  expect(await update({ whatsappIds: [other.line.id] })).toBe(404);
  expect(await update({ contactListId: other.list })).toBe(404);
  expect(await update({ fileListId: 1 })).toBe(404);
});

test("it may be changed while it is inactive or starts in more than an hour, and not later (K-03, K-04)", async () => {
  const { admin, make } = await anOffice();
  const { id } = await make({ scheduledAt: inMinutes(90) });
  const rename = async (name: string) => admin.call(campaigns.update, { params: { id }, body: { name } });
  expect((await rename("Ano novo")).body).toMatchObject({ name: "Ano novo", status: "PROGRAMADA" });

  clock.advance({ minutes: 30 });
  const late = await rename("Tarde demais");
  expect([late.status, late.body]).toMatchObject([409, { error: "ERR_CAMPAIGN_NOT_EDITABLE" }]);
  expect((await admin.call(campaigns.removeMedia, { params: { id } })).status).toBe(409);
});

test("without its time it is inactive again, and a time that is over is now (K-04)", async () => {
  const { admin, make } = await anOffice();
  const { id } = await make({ scheduledAt: inMinutes(90) });
  const update = async (body: BodyIn<typeof campaigns.update>) =>
    (await admin.call(campaigns.update, { params: { id }, body })).body;
  expect(await update({ scheduledAt: null })).toMatchObject({ status: "INATIVA", scheduledAt: null });
  expect(await update({ scheduledAt: inMinutes(-600) })).toMatchObject({
    status: "PROGRAMADA",
    scheduledAt: inMinutes(0),
  });
});

test("further lines keep their order, and the first one is its line (K-03)", async () => {
  const { admin, company, line, make } = await anOffice();
  const [second, third] = [await aConnection(company), await aConnection(company)];
  const linesOf = ({ lines }: Campaign) => lines.map(({ id }) => id);
  const made = await make({ whatsappIds: [third.id, line.id] });
  expect(linesOf(made)).toEqual([line.id, third.id]);
  const update = async (body: BodyIn<typeof campaigns.update>) =>
    (await admin.call(campaigns.update, { params: { id: made.id }, body })).body;
  expect(linesOf(await update({ whatsappId: second.id }))).toEqual([second.id, third.id]);
  expect(linesOf(await update({ whatsappIds: [] }))).toEqual([second.id]);
  expect(linesOf(await update({ whatsappId: null }))).toEqual([]);
});

test("a clone is an inactive copy with the same file, which stays as long as one of them has it (K-03)", async () => {
  const { admin, make } = await anOffice();
  const { id } = await make({ scheduledAt: inMinutes(90), confirmation: true, confirmationMessage2: "Posso?" });
  const form = new FormData();
  form.append("file", new File([png], "cartaz de natal.png", { type: "image/png" }));
  const withFile = (await admin.call(campaigns.upload, { params: { id }, body: form })).body;
  expect(withFile).toMatchObject({ mediaName: "cartaz de natal.png" });

  const copy = (await admin.call(campaigns.clone, { params: { id } })).body;
  expect(copy).toMatchObject({
    name: "Natal",
    status: "INATIVA",
    scheduledAt: null,
    confirmationMessage2: "Posso?",
    mediaName: "cartaz de natal.png",
    contactListId: withFile.contactListId,
    whatsappId: withFile.whatsappId,
  });
  await admin.call(campaigns.remove, { params: { id } });
  expect((await admin.get(copy.mediaUrl ?? "")).status).toBe(200);
  expect((await admin.call(campaigns.removeMedia, { params: { id: copy.id } })).body).toMatchObject({ mediaUrl: null });
  expect((await admin.get(copy.mediaUrl ?? "")).status).toBe(404);
});

test("the list is the newest first, is searched by name, and shows one company (K-03)", async () => {
  const { admin, make } = await anOffice();
  for (const name of ["Natal", "Páscoa", "Dia das mães"]) {
    await make({ name });
  }
  const other = await anOffice();
  await other.make({ name: "Natal de outros" });
  const list = async (searchParam?: string) => (await admin.call(campaigns.list, { query: { searchParam } })).body;
  expect((await list()).records.map(({ name }) => name)).toEqual(["Dia das mães", "Páscoa", "Natal"]);
  expect(await list("pascoa")).toMatchObject({ count: 1, hasMore: false, records: [{ name: "Páscoa" }] });
});

test("agents, other plans and strangers have no campaigns (K-03)", async () => {
  const { company, make } = await anOffice();
  const { id } = await make();
  const agent = app.as(await aUser(company));
  expect((await agent.call(campaigns.list)).status).toBe(403);
  expect((await app.as(undefined).call(campaigns.list)).status).toBe(401);
  const plain = await aCompany(app, { withoutFlags: ["useCampaigns"] });
  const answer = await app.as(plain.admin).call(campaigns.list);
  expect([answer.status, answer.body]).toMatchObject([403, { error: "ERR_PLAN_WITHOUT_FEATURE" }]);
  const other = await anOffice();
  expect((await other.admin.call(campaigns.get, { params: { id } })).status).toBe(404);
  expect((await other.admin.call(campaigns.export, { params: { id } })).status).toBe(404);
});

test("settings have defaults, take the listed choices only, and no key twice (K-08)", async () => {
  const { admin } = await anOffice();
  const values = async () =>
    Object.fromEntries(
      (await admin.call(campaignSettings.list)).body.map(({ key, value }) => [key, JSON.parse(value)]),
    );
  expect(await values()).toEqual({ messageInterval: 20, longerIntervalAfter: 20, greaterInterval: 60, variables: [] });

  const save = (settings: BodyIn<typeof campaignSettings.save>["settings"]) =>
    admin.call(campaignSettings.save, { body: { settings } });
  expect((await save({ messageInterval: 7 })).status).toBe(400);
  const cupom = { key: "Cupom", value: "1" };
  const twice = await save({ variables: [cupom, { key: "cupom", value: "2" }] });
  expect([twice.status, fieldsOf(twice.body)]).toEqual([400, { "settings.variables.1.key": "Key exists" }]);
  expect((await save({ variables: [{ key: "nome", value: "1" }] })).status).toBe(400);

  const variables = [{ key: "cupom", value: "NATAL10" }];
  expect((await save({ messageInterval: 5, variables })).status).toBe(200);
  expect(await values()).toEqual({ messageInterval: 5, longerIntervalAfter: 20, greaterInterval: 60, variables });
});

test("a variable stays while a campaign that is scheduled or being sent has it in a text (K-08)", async () => {
  const { company, admin, make } = await anOffice();
  const save = async (...keys: readonly string[]) => {
    const variables = keys.map((key) => ({ key, value: "1" }));
    const { status, body } = await admin.call(campaignSettings.save, { body: { settings: { variables } } });
    return status === 200 ? 200 : [status, body];
  };
  expect(await save("cupom", "prazo", "loja")).toBe(200);
  await make({ message1: "Só um rascunho {loja}" });
  const { id } = await make({ scheduledAt: inMinutes(90), message2: "Use {{ Cupom }} {desconhecida}" });
  const refused = [409, { error: "ERR_CAMPAIGN_VARIABLE_IN_USE", details: { variable: "{cupom}", campaign: "Natal" } }];
  expect(await save("prazo")).toMatchObject(refused);
  expect(await save("CUPOM")).toBe(200);
  await admin.call(campaigns.update, { params: { id }, body: { message2: "Olá" } });
  expect(await save()).toBe(200);

  // A restart would send what is written.
  expect(await save("cupom")).toBe(200);
  const cancelled = await make({ message1: "{cupom}", scheduledAt: inMinutes(90) });
  const setStatus = (status: string) =>
    company.inside(({ db }) => sql`update campaigns set status = ${status} where id = ${cancelled.id}`.execute(db));
  await setStatus("CANCELADA");
  expect(await save()).toMatchObject(refused);
  await setStatus("FINALIZADA");
  expect(await save()).toBe(200);
});

/** Saves variables, "cupom 10", as a form that has read `known`; those that are saved then. */
async function saveVariables(
  { admin }: Awaited<ReturnType<typeof anOffice>>,
  written: readonly string[],
  known?: readonly string[],
): Promise<unknown[]> {
  const parse = (variables: readonly string[]) =>
    variables.map((variable) => {
      const [key = "", value = ""] = variable.split(" ");
      return { key, value };
    });
  const body = { settings: { variables: parse(written) }, ...(known && { knownVariables: parse(known) }) };
  const { status, body: rows } = await admin.call(campaignSettings.save, { body });
  const saved = status === 200 ? rows.find(({ key }) => key === "variables") : undefined;
  return saved
    ? (JSON.parse(saved.value) as { key: string; value: string }[]).map(({ key, value }) => `${key} ${value}`)
    : [status, fieldsOf(rows)];
}

test("a variable that a colleague has added meanwhile stays, one that was seen and is left out goes (K-08)", async () => {
  const office = await anOffice();
  const save = (written: readonly string[], known?: readonly string[]) => saveVariables(office, written, known);
  expect(await save(["cupom 1", "prazo 1"])).toEqual(["cupom 1", "prazo 1"]);
  expect(await save(["cupom 1", "prazo 1", "Loja 1"], ["cupom 1", "prazo 1"])).toEqual([
    "cupom 1",
    "prazo 1",
    "Loja 1",
  ]);
  // another form, which was opened before the shop was there
  expect(await save(["prazo 1", "frete 1"], ["cupom 1", "prazo 1"])).toEqual(["prazo 1", "frete 1", "Loja 1"]);
  // one whose answer was lost is known by its form
  expect(await save(["prazo 1", "loja 2"], ["prazo 1"])).toEqual(["prazo 1", "loja 2", "frete 1"]);
  expect(await save(["prazo 1"], ["prazo 1", "FRETE 1"])).toEqual(["prazo 1", "loja 2"]);
  const many = Array.from({ length: 99 }, (_, n) => `v${n} 1`);
  expect(await save(many, [])).toEqual([400, { "settings.variables": "Too Long!" }]);
  // a client that names none speaks of all
  expect(await save(["prazo 1"])).toEqual(["prazo 1"]);
});

test("of variables that were read, those that a form has not changed stay as a colleague has left them (K-08)", async () => {
  const office = await anOffice();
  const save = (written: readonly string[], known?: readonly string[]) => saveVariables(office, written, known);
  const opened = ["desconto 10", "prazo 3", "loja 1"];
  await save(opened);
  expect(await save(["desconto 20", "loja 2"], opened)).toEqual(["desconto 20", "loja 2"]);
  // another form, which was opened beside that one: it adds the freight and changes the shop
  expect(await save(["desconto 10", "prazo 3", "loja 3", "frete 5"], opened)).toEqual([
    "desconto 20",
    "loja 3",
    "frete 5",
  ]);
  expect(await save(["Loja 3"], ["desconto 10", "LOJA 1"])).toEqual(["Loja 3", "frete 5"]);
});

test("of two admins who save a company's first variables at once each keeps the own (K-08)", async () => {
  const office = await anOffice();
  await Promise.all([saveVariables(office, ["cupom 1"], []), saveVariables(office, ["prazo 1"], [])]);
  const kept = await saveVariables(office, ["loja 1"], []);
  expect(new Set(kept)).toEqual(new Set(["cupom 1", "prazo 1", "loja 1"]));
});

test("admins hear of campaigns over the socket, agents do not (K-03)", async () => {
  const { company, make } = await anOffice();
  const [admin, agent] = [await app.connect(company.admin), await app.connect(await aUser(company))];
  const { id } = await make();
  await app.settle();
  const event = `company-${company.id}-campaign`;
  expect((await admin.next(event)).payload).toMatchObject({ action: "create", record: { id, name: "Natal" } });
  await agent.flushed();
  expect(agent.packets.filter((packet) => packet.event === event)).toEqual([]);
  admin.close();
  agent.close();
});

import { kanban, products, tags } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aUser } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test("tags are added, searched, changed and deleted; names are unique (O-04)", async () => {
  const company = await aCompany(app);
  const caller = app.as(await aUser(company));
  const made = await caller.call(tags.create, { body: { name: "Urgência", color: "#ff0000" } });
  expect([made.status, made.body]).toMatchObject([200, { name: "Urgência", kanban: 0, ticketsCount: 0 }]);
  expect((await caller.call(tags.create, { body: { name: "Urgência" } })).body).toMatchObject({
    error: "ERR_NAME_TAKEN",
  });
  expect((await caller.call(tags.create, { body: { name: "ab" } })).status).toBe(400);

  const params = { id: made.body.id };
  const changed = await caller.call(tags.update, { params, body: { name: "Prioridade" } });
  expect(changed.body).toMatchObject({ name: "Prioridade", color: "#ff0000" });
  const found = await caller.call(tags.list, { query: { searchParam: "PRIOR" } });
  expect([found.body.count, found.body.tags.map(({ name }) => name)]).toEqual([1, ["Prioridade"]]);
  expect((await caller.call(tags.lookup)).body).toHaveLength(1);

  // agents create and change tags; only admins delete them, because that removes the tag from every ticket
  expect((await caller.call(tags.remove, { params })).status).toBe(403);
  expect((await app.as(company.admin).call(tags.remove, { params })).status).toBe(200);
  expect((await caller.call(tags.lookup)).body).toEqual([]);
  expect((await caller.call(tags.get, { params })).status).toBe(404);
});

test("the kanban flag is for admins and supervisors (O-04)", async () => {
  const company = await aCompany(app);
  const agent = app.as(await aUser(company));
  const supervisor = app.as(await aUser(company, { profile: "supervisor" }));
  const lane = { name: "Em negociação", color: "#00ff00", kanban: 1 as const };
  expect((await agent.call(tags.create, { body: lane })).status).toBe(403);
  const made = await supervisor.call(tags.create, { body: lane });
  expect((await agent.call(tags.kanban)).body.lista.map(({ name }) => name)).toEqual(["Em negociação"]);

  const params = { id: made.body.id };
  expect((await agent.call(tags.update, { params, body: { color: "#0000ff" } })).status).toBe(200);
  expect((await agent.call(tags.update, { params, body: { kanban: 0 } })).status).toBe(403);
});

test("a change of the name leaves the flag of the kanban that a supervisor sets meanwhile (O-04)", async () => {
  const company = await aCompany(app);
  const agent = app.as(await aUser(company));
  const supervisor = app.as(await aUser(company, { profile: "supervisor" }));
  for (const index of Array.from({ length: 8 }, (_, each) => each)) {
    const { id } = (await agent.call(tags.create, { body: { name: `Etiqueta ${index}`, color: "#00ff00" } })).body;
    const [renamed, set] = await Promise.all([
      agent.call(tags.update, { params: { id }, body: { name: `Nome ${index}` } }),
      supervisor.call(tags.update, { params: { id }, body: { kanban: 1 } }),
    ]);
    expect([renamed.status, set.status]).toEqual([200, 200]);
    expect((await agent.call(tags.get, { params: { id } })).body).toMatchObject({ name: `Nome ${index}`, kanban: 1 });
  }
});

test("a tag is its author's, until a save names another user of the company (O-04)", async () => {
  const company = await aCompany(app);
  const author = await aUser(company);
  const colleague = await aUser(company);
  const caller = app.as(author);
  const { id, userId } = (await caller.call(tags.create, { body: { name: "Retorno" } })).body;
  expect(userId).toBe(author.userId);

  const params = { id };
  const moved = await caller.call(tags.update, { params, body: { kanban: 0, userId: colleague.userId } });
  expect(moved.body.userId).toBe(colleague.userId);
  await caller.call(tags.update, { params, body: { color: "#123456" } });
  expect((await caller.call(tags.get, { params })).body.userId).toBe(colleague.userId);
  await caller.call(tags.update, { params, body: { userId: null } });
  expect((await caller.call(tags.list, { query: {} })).body.tags).toMatchObject([{ id, userId: null }]);

  const stranger = await aUser(await aCompany(app));
  const refused = await caller.call(tags.update, { params, body: { userId: stranger.userId } });
  expect([refused.status, refused.body]).toMatchObject([404, { error: "ERR_NO_USER_FOUND" }]);
  const other = await caller.call(tags.create, { body: { name: "Alheia", userId: stranger.userId } });
  expect([other.status, other.body]).toMatchObject([404, { error: "ERR_NO_USER_FOUND" }]);
  const given = await caller.call(tags.create, { body: { name: "Da colega", userId: colleague.userId } });
  expect(given.body.userId).toBe(colleague.userId);
});

test("lanes stand in the order that a supervisor gave them, new ones behind by name (O-02)", async () => {
  const company = await aCompany(app);
  const agent = await aUser(company);
  const supervisor = app.as(await aUser(company, { profile: "supervisor" }));
  const lane = async (name: string) =>
    (await supervisor.call(tags.create, { body: { name, color: "#00ff00", kanban: 1 } })).body.id;
  const order = async () => {
    await app.settle();
    return (await app.as(agent).call(tags.kanban)).body.lista.map(({ id }) => id);
  };
  const [budget, contract, paid] = [await lane("Orçamento"), await lane("Contrato"), await lane("Pago")];
  expect(await order()).toEqual([contract, budget, paid]);
  const screen = await app.connect(agent);

  const put = (...tagIds: number[]) => supervisor.call(kanban.orderLanes, { body: { tagIds } });
  const ordered = await put(paid, budget);
  expect(ordered.body.lista.map(({ id }) => id)).toEqual([paid, budget, contract]);
  expect(await order()).toEqual([paid, budget, contract]);
  await put(paid, budget, paid, contract);

  const late = await lane("Aguardando");
  const later = await lane("Visita");
  expect(await order()).toEqual([paid, budget, contract, late, later]);
  await put(later);
  expect(await order()).toEqual([later, paid, budget, contract, late]);
  // a rename keeps the place
  await supervisor.call(tags.update, { params: { id: contract }, body: { name: "Assinado" } });
  expect(await order()).toEqual([later, paid, budget, contract, late]);

  await screen.flushed();
  const told = screen.packets.filter(({ event }) => event.endsWith("-tag")).map(({ payload }) => payload);
  // what did not move is not published
  expect(told.slice(0, 3).map((packet) => (packet as { record: { id: number } }).record.id)).toEqual(
    expect.arrayContaining([paid, budget, contract]),
  );
  expect(told[3]).toMatchObject({ action: "create", record: { id: late } });
  screen.close();
});

test("an order of lanes names lanes of the own company, and is for admins and supervisors (O-02)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const other = app.as((await aCompany(app)).admin);
  const create = async (caller: typeof admin, name: string, flag: 0 | 1) =>
    (await caller.call(tags.create, { body: { name, kanban: flag } })).body.id;
  const own = await create(admin, "Nossa", 1);
  const second = await create(admin, "Antes", 1);
  const ordinary = await create(admin, "Comum", 0);
  const foreign = await create(other, "Alheia", 1);

  for (const tagId of [foreign, ordinary, 2_000_000_000]) {
    const { status, body } = await admin.call(kanban.orderLanes, { body: { tagIds: [own, tagId] } });
    expect([status, body]).toMatchObject([404, { error: "ERR_NOT_FOUND" }]);
  }
  expect((await admin.call(tags.kanban)).body.lista.map(({ id }) => id)).toEqual([second, own]);
  const agent = app.as(await aUser(company));
  expect((await agent.call(kanban.orderLanes, { body: { tagIds: [own] } })).status).toBe(403);
  expect((await app.as(undefined).call(kanban.orderLanes, { body: { tagIds: [own] } })).status).toBe(401);
  expect((await admin.call(kanban.orderLanes, { body: { tagIds: [] } })).status).toBe(400);
});

test("products are added, searched, changed and deleted; names are unique (O-10)", async () => {
  const company = await aCompany(app);
  const caller = app.as(await aUser(company));
  const made = await caller.call(products.create, { body: { name: "Plano Ouro", type: "Serviço" } });
  expect([made.status, made.body]).toMatchObject([200, { name: "Plano Ouro", type: "Serviço" }]);
  expect((await caller.call(products.create, { body: { name: "Plano Ouro" } })).body).toMatchObject({
    error: "ERR_NAME_TAKEN",
  });

  const params = { id: made.body.id };
  const changed = await caller.call(products.update, { params, body: { type: "Assinatura" } });
  expect(changed.body).toMatchObject({ name: "Plano Ouro", type: "Assinatura" });
  expect((await caller.call(products.list, { query: { searchParam: "ouro" } })).body.count).toBe(1);
  expect((await caller.call(products.remove, { params })).status).toBe(403);
  expect((await app.as(company.admin).call(products.remove, { params })).status).toBe(200);
  expect((await caller.call(products.lookup)).body).toEqual([]);
});

test("another company gets 404 for tags and products, a stranger 401", async () => {
  const company = await aCompany(app);
  const own = app.as(company.admin);
  const tag = await own.call(tags.create, { body: { name: "Ours" } });
  const product = await own.call(products.create, { body: { name: "Ours" } });
  const foreign = app.as((await aCompany(app)).admin);
  expect((await foreign.call(tags.get, { params: { id: tag.body.id } })).status).toBe(404);
  expect((await foreign.call(tags.update, { params: { id: tag.body.id }, body: { name: "Mine" } })).status).toBe(404);
  expect((await foreign.call(tags.remove, { params: { id: tag.body.id } })).status).toBe(404);
  expect((await foreign.call(products.get, { params: { id: product.body.id } })).status).toBe(404);
  expect((await foreign.call(products.update, { params: { id: product.body.id }, body: {} })).status).toBe(404);
  expect((await foreign.call(products.remove, { params: { id: product.body.id } })).status).toBe(404);
  expect((await app.as(undefined).call(tags.lookup)).status).toBe(401);
  expect((await app.as(undefined).call(products.lookup)).status).toBe(401);
});

test("the change or deletion of a tag or product is published to every screen of the company (T-20, N-04)", async () => {
  const company = await aCompany(app);
  const user = await aUser(company);
  const caller = app.as(user);
  const tag = (await caller.call(tags.create, { body: { name: "Urgente" } })).body;
  const product = (await caller.call(products.create, { body: { name: "Mesa" } })).body;
  const screen = await app.connect(user);

  await caller.call(tags.update, { params: { id: tag.id }, body: { name: "Prioridade" } });
  await app.settle();
  await app.as(company.admin).call(tags.remove, { params: { id: tag.id } });
  await app.as(company.admin).call(products.remove, { params: { id: product.id } });
  await app.settle();
  await screen.flushed();

  expect(screen.packets.filter(({ event }) => /-(tag|product)$/.test(event)).map(({ payload }) => payload)).toEqual(
    expect.arrayContaining([
      { action: "update", record: { id: tag.id, name: "Prioridade", color: tag.color, kanban: tag.kanban } },
      { action: "delete", id: tag.id },
      { action: "delete", id: product.id },
    ]),
  );
  screen.close();
});

import { queueOptions, queues } from "@prosa/contract";
import type { BodyIn, QueueOption } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestCaller } from "#server/testing/app.ts";
import { aCompany, aQueue, aUser } from "#server/testing/factories.ts";
import { storageKeyOf } from "#server/testing/media.ts";
import { optionTreesOf } from "./index.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** A queue, and helpers with which an admin edits its options. */
async function aQueueToEdit() {
  const company = await aCompany(app);
  const queue = await aQueue(company);
  const admin = app.as(company.admin);
  const add = async (
    title: string,
    parentId: number | null = null,
    more: Partial<BodyIn<typeof queueOptions.create>> = {},
  ) => {
    const { status, body } = await admin.call(queueOptions.create, {
      body: { queueId: queue.id, parentId, title, ...more },
    });
    expect(status).toBe(200);
    return body;
  };
  const level = async (parentId = -1) =>
    (await admin.call(queueOptions.list, { query: { queueId: queue.id, parentId } })).body.map(
      ({ title, position }) => `${position} ${title}`,
    );
  const menu = async (parentId = -1) =>
    (await admin.call(queueOptions.list, { query: { queueId: queue.id, parentId } })).body.map(
      ({ option, title }) => `${option} ${title}`,
    );
  return { company, queue, admin, add, level, menu };
}

const move = (admin: TestCaller, { id }: QueueOption, body: BodyIn<typeof queueOptions.update>) =>
  admin.call(queueOptions.update, { params: { id }, body });

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
function picture(name = "tabela.png", content: string | typeof png = png): FormData {
  const form = new FormData();
  form.set("file", new File([content], name, { type: "image/png" }));
  return form;
}

test("an option whose answer was lost is sent again under its key, and customers see it once (Q-02)", async () => {
  const { queue, admin, menu } = await aQueueToEdit();
  const key = { "idempotency-key": crypto.randomUUID() };
  const send = () => admin.post<QueueOption>("/queue-options", { queueId: queue.id, title: "Boletos" }, key);
  const answers = [...(await Promise.all([send(), send()])), await send()];
  expect(answers.map((answer) => answer.body)).toEqual(answers.map(() => answers[0]!.body));
  expect(await menu()).toEqual(["1 Boletos"]);
});

test("options are added at any depth, and listed level by level; -1 gives the roots (Q-02)", async () => {
  const { queue, admin, add, level } = await aQueueToEdit();
  const prices = await add("Preços");
  const plans = await add("Planos", prices.id, { message: "Qual plano?" });
  const yearly = await add("Anual", plans.id);
  await add("Horários");

  expect(prices).toMatchObject({ parentId: null, option: "1", position: 0, childrenCount: 0 });
  expect(yearly).toMatchObject({ parentId: plans.id, option: "1", position: 0 });
  expect(await level()).toEqual(["0 Preços", "1 Horários"]);
  expect(await level(prices.id)).toEqual(["0 Planos"]);
  expect(await level(plans.id)).toEqual(["0 Anual"]);
  const tree = await admin.call(queueOptions.tree, { params: { id: queue.id } });
  const counts = new Map(tree.body.map(({ title, childrenCount }) => [title, childrenCount]));
  expect(Object.fromEntries(counts)).toEqual({ Preços: 1, Planos: 1, Anual: 0, Horários: 0 });
});

test("a change of one field leaves the others (Q-02)", async () => {
  const { admin, add } = await aQueueToEdit();
  const option = await add("Preços", null, { message: "A tabela", option: "p" });
  const { body } = await move(admin, option, { title: "Valores" });
  expect(body).toMatchObject({ title: "Valores", message: "A tabela", option: "p", position: 0 });
});

test("options move up and down, and the positions of a level have no gaps (Q-02)", async () => {
  const { admin, add, level } = await aQueueToEdit();
  const [a, b, c] = [await add("A"), await add("B"), await add("C")];
  await move(admin, c, { position: 0 });
  expect(await level()).toEqual(["0 C", "1 A", "2 B"]);
  await move(admin, c, { position: 99 });
  expect(await level()).toEqual(["0 A", "1 B", "2 C"]);
  await add("D", null, { position: 1 });
  expect(await level()).toEqual(["0 A", "1 D", "2 B", "3 C"]);
  await admin.call(queueOptions.remove, { params: { id: a.id } });
  expect(await level()).toEqual(["0 D", "1 B", "2 C"]);
  expect((await move(admin, b, { position: 1 })).body).toMatchObject({ position: 1 });
});

test("a menu numbered in order is renumbered after a move and a deletion; chosen answers stay (Q-02)", async () => {
  const { admin, add, menu } = await aQueueToEdit();
  const [a, , c] = [await add("A"), await add("B"), await add("C")];
  await move(admin, c, { position: 0 });
  expect(await menu()).toEqual(["1 C", "2 A", "3 B"]);
  await admin.call(queueOptions.remove, { params: { id: a.id } });
  expect(await menu()).toEqual(["1 C", "2 B"]);

  await move(admin, c, { option: "9" });
  await add("Sim", null, { option: "sim" });
  expect(await menu()).toEqual(["9 C", "2 B", "sim Sim"]);
  await move(admin, c, { position: 2 });
  expect(await menu()).toEqual(["2 B", "sim Sim", "9 C"]);
});

test("an option moves below another with its subtree, and gets an answer that is free there (Q-02)", async () => {
  const { admin, add, level, menu } = await aQueueToEdit();
  const [a, b] = [await add("A"), await add("B")];
  await add("A1", a.id);
  const b1 = await add("B1", b.id);

  const moved = await move(admin, b, { parentId: a.id, position: 0 });

  expect(moved.body).toMatchObject({ parentId: a.id, position: 0, option: "1", childrenCount: 1 });
  expect(await menu(a.id)).toEqual(["1 B", "2 A1"]);
  expect(await level(b.id)).toEqual(["0 B1"]);
  const up = await move(admin, b1, { parentId: null, position: 0 });
  expect(up.body).toMatchObject({ parentId: null, position: 0 });
  expect(await menu()).toEqual(["1 B1", "2 A"]);
});

test("an option never moves below itself, nor to another queue (Q-02)", async () => {
  const { company, admin, add, level } = await aQueueToEdit();
  const a = await add("A");
  const below = await add("A1", a.id);
  const deep = await add("A11", below.id);
  const elsewhere = await aQueue(company);
  for (const body of [{ parentId: a.id }, { parentId: deep.id }, { parentId: 999_999 }, { queueId: elsewhere.id }]) {
    expect([body, await move(admin, a, body)]).toMatchObject([
      body,
      { status: 400, body: { error: "ERR_VALIDATION" } },
    ]);
  }
  expect(await level()).toEqual(["0 A"]);
});

test("two concurrent moves form no cycle (Q-02)", async () => {
  const { admin, add, level } = await aQueueToEdit();
  const [a, b] = [await add("A"), await add("B")];
  const both = await Promise.all([move(admin, a, { parentId: b.id }), move(admin, b, { parentId: a.id })]);
  expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 400]));
  expect(await level()).toHaveLength(1);
});

test.each([
  ["1", "Already in use"],
  ["0", "Word of the bot"],
  ["#", "Word of the bot"],
  ["SAIR", "Word of the bot"],
  ["0.", "Word of the bot"],
  ["Exit", "Word of the bot"],
  ["salir", "Word of the bot"],
  ["[1]", "Already in use"],
])("the answer %j is refused: %s (Q-02)", async (option, reason) => {
  const { queue, admin, add } = await aQueueToEdit();
  await add("A");
  const refused = await admin.call(queueOptions.create, { body: { queueId: queue.id, title: "B", option } });
  expect(refused).toMatchObject({ status: 400, body: { details: { fields: { option: reason } } } });
});

test("deleting an option deletes what is below it, with the files (Q-02)", async () => {
  const { admin, add, level } = await aQueueToEdit();
  const a = await add("A");
  const below = await add("A1", a.id);
  const { body } = await admin.post<QueueOption>(`/queue-options/${below.id}/media-upload`, picture());
  expect((await admin.call(queueOptions.remove, { params: { id: a.id } })).status).toBe(200);
  expect(await level()).toEqual([]);
  expect(await level(a.id)).toEqual([]);
  expect(await app.services.storage.stat(storageKeyOf(app, body.mediaPath))).toBeUndefined();
});

test("deleting a queue deletes its options and their files (Q-02)", async () => {
  const { queue, admin, add } = await aQueueToEdit();
  const a = await add("A");
  const { body } = await admin.post<QueueOption>(`/queue-options/${a.id}/media-upload`, picture());
  expect(await app.services.storage.stat(storageKeyOf(app, body.mediaPath))).toBeDefined();
  expect((await admin.call(queues.remove, { params: { id: queue.id } })).status).toBe(200);
  expect(await app.services.storage.stat(storageKeyOf(app, body.mediaPath))).toBeUndefined();
  expect((await move(admin, a, { title: "Gone" })).status).toBe(404);
});

test("a file is attached, fetched by its URL, replaced and removed (Q-02)", async () => {
  const { admin, add } = await aQueueToEdit();
  const { id } = await add("Preços");
  const { body: first } = await admin.post<QueueOption>(`/queue-options/${id}/media-upload`, picture());
  expect(first).toMatchObject({ id, mediaName: "tabela.png" });
  const file = await app.as(undefined).get(first.mediaUrl ?? "");
  expect(file).toMatchObject({ status: 200, headers: { "content-type": "image/png" } });

  const { body: second } = await admin.post<QueueOption>(`/queue-options/${id}/media-upload`, picture("nova.png"));
  expect(await app.services.storage.stat(storageKeyOf(app, first.mediaPath))).toBeUndefined();
  const { body: bare } = await admin.call(queueOptions.removeMedia, { params: { id } });
  expect(bare).toMatchObject({ mediaPath: null, mediaName: null, mediaUrl: null });
  expect(await app.services.storage.stat(storageKeyOf(app, second.mediaPath))).toBeUndefined();
});

test("an HTML page is refused as an attachment, and so is an empty upload (Q-02)", async () => {
  const { admin, add } = await aQueueToEdit();
  const { id } = await add("Preços");
  const script = picture("x.html", "<html><script>1</script></html>");
  expect(await admin.post(`/queue-options/${id}/media-upload`, script)).toMatchObject({ status: 415 });
  expect(await admin.post(`/queue-options/${id}/media-upload`, new FormData())).toMatchObject({ status: 400 });
});

test("other editors are notified of a change, and the bot's cached tree is loaded again (Q-02)", async () => {
  const { company, queue, add } = await aQueueToEdit();
  const trees = () => company.inside(async (ctx) => (await optionTreesOf(ctx)).get(queue.id) ?? []);
  expect(await trees()).toEqual([]);
  const screen = await app.connect(company.admin);

  const a = await add("A");
  await add("A1", a.id);
  await app.settle();

  const { payload } = await screen.next(`company-${company.id}-queue`);
  expect(payload).toMatchObject({ action: "update", queue: { id: queue.id } });
  expect(await trees()).toMatchObject([{ title: "A", children: [{ title: "A1", children: [] }] }]);
  screen.close();
});

test("agents read options and get 403 for changes; another company gets 404, a stranger 401 (Q-02)", async () => {
  const { company, queue, add } = await aQueueToEdit();
  const { id } = await add("A");
  const reads = (who: TestCaller) => [
    who.call(queueOptions.list, { query: { queueId: queue.id } }),
    who.call(queueOptions.tree, { params: { id: queue.id } }),
  ];
  const writes = (who: TestCaller) => [
    who.call(queueOptions.create, { body: { queueId: queue.id, title: "Mine" } }),
    who.call(queueOptions.update, { params: { id }, body: { title: "Mine" } }),
    who.call(queueOptions.remove, { params: { id } }),
    who.post(`/queue-options/${id}/media-upload`, picture()),
    who.call(queueOptions.removeMedia, { params: { id } }),
  ];
  const statuses = async (calls: readonly Promise<{ readonly status: number }>[]) =>
    (await Promise.all(calls)).map(({ status }) => status);

  const agent = app.as(await aUser(company));
  expect(await statuses(reads(agent))).toEqual([200, 200]);
  expect(await statuses(writes(agent))).toEqual([403, 403, 403, 403, 403]);
  const foreign = app.as((await aCompany(app)).admin);
  expect(await statuses([...reads(foreign), ...writes(foreign)])).toEqual([404, 404, 404, 404, 404, 404, 404]);
  const stranger = app.as(undefined);
  expect(await statuses([...reads(stranger), ...writes(stranger)])).toEqual([401, 401, 401, 401, 401, 401, 401]);
});

import { announcements } from "@prosa/contract";
import type { Announcement } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aUser } from "#server/testing/factories.ts";
import type { TestUser } from "#server/testing/factories.ts";

let app: TestApp;
let operator: TestUser;
let agent: TestUser;
let admin: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  operator = (await aCompany(app, { isOperator: true })).admin;
  const shop = await aCompany(app);
  admin = shop.admin;
  agent = await aUser(shop);
});
afterAll(() => app.close());

const content = { title: "Manutenção no domingo", text: "Das 2h às 4h.\nNada se perde." };
const event = "company-announcement";

const announce = async (body: Partial<typeof content & { priority: 1 | 2 | 3; status: boolean }> = {}) =>
  (await app.as(operator).call(announcements.create, { body: { ...content, ...body } })).body;
const idsSeenBy = async (who: TestUser, query = {}) =>
  (await app.as(who).call(announcements.list, { query })).body.records.map(({ id }) => id);

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
function sending(bytes: Uint8Array<ArrayBuffer>, name: string, type: string): FormData {
  const form = new FormData();
  form.set("file", new File([bytes], name, { type }));
  return form;
}
const picture = () => sending(png, "mapa da rua.png", "image/png");
const filesOf = async () => {
  const keys: string[] = [];
  for await (const key of app.services.storage.list(operator.companyId, "announcements")) {
    keys.push(key);
  }
  return keys;
};

test("all companies see what the operator announces, changes and deletes (O-05)", async () => {
  const made = await announce();
  expect(made).toEqual({
    id: expect.any(Number),
    ...content,
    priority: 3,
    status: true,
    mediaPath: null,
    mediaName: null,
    createdAt: expect.any(String),
  });
  const params = { id: made.id };
  expect((await app.as(agent).call(announcements.get, { params })).body).toEqual(made);

  const { body: changed } = await app.as(operator).call(announcements.update, { params, body: { priority: 1 } });
  expect(changed).toEqual({ ...made, priority: 1 });
  const found = await app.as(agent).call(announcements.list, { query: { searchParam: "MANUTENCAO" } });
  expect(found.body).toEqual({ records: [changed], count: 1, hasMore: false });

  expect((await app.as(operator).call(announcements.remove, { params })).status).toBe(200);
  expect((await app.as(operator).call(announcements.remove, { params })).status).toBe(404);
  expect((await app.as(operator).call(announcements.update, { params, body: {} })).status).toBe(404);
  expect((await app.as(agent).call(announcements.get, { params })).status).toBe(404);
});

test("an inactive one is visible to operators only (O-05)", async () => {
  const { id } = await announce({ title: "Rascunho", status: false });
  const shown = await announce({ title: "À vista" });
  const params = { id };
  expect(await idsSeenBy(operator)).toEqual([shown.id, id]);
  expect(await idsSeenBy(operator, { active: "true" })).toEqual([shown.id]);
  expect(await idsSeenBy(admin, { active: "false" })).toEqual([shown.id]);
  expect(await app.as(operator).call(announcements.get, { params })).toMatchObject({ status: 200, body: { id } });
  expect((await app.as(admin).call(announcements.get, { params })).status).toBe(404);

  await app.as(operator).call(announcements.update, { params, body: { status: true } });
  expect(await idsSeenBy(agent)).toEqual([shown.id, id]);
});

test("the newest are first, twenty on a page (O-05)", async () => {
  const ids: number[] = [];
  for (let n = 0; n < 21; n += 1) {
    ids.unshift((await announce({ title: `Página ${n}` })).id);
  }
  const page = async (pageNumber: number) =>
    (await app.as(agent).call(announcements.list, { query: { searchParam: "pagina", pageNumber } })).body;
  const first = await page(1);
  expect(first).toMatchObject({ count: 21, hasMore: true });
  expect(first.records.map(({ id }) => id)).toEqual(ids.slice(0, 20));
  expect(await page(2)).toMatchObject({ count: 21, hasMore: false, records: [{ id: ids[20] }] });
});

test.each([
  ["title", { title: "  " }],
  ["text", { text: "" }],
  ["title", { title: "a".repeat(151) }],
  ["priority", { priority: 4 as 3 }],
])("a wrong %s is refused: %j (O-05, E-03)", async (field, wrong) => {
  const answer = await app.as(operator).call(announcements.create, { body: { ...content, ...wrong } });
  expect([answer.status, answer.body]).toMatchObject([400, { details: { fields: { [field]: expect.any(String) } } }]);
});

test("its image has a URL for other companies, is replaced, removed, and deleted with it (O-05)", async () => {
  const { id } = await announce();
  const params = { id };
  const { body: first } = await app.as(operator).call(announcements.upload, { params, body: picture() });
  expect(first).toMatchObject({
    id,
    mediaName: "mapa da rua.png",
    mediaPath: expect.stringMatching(/^http:\/\/localhost:\d+\/media\//),
  });

  const { body: seen } = await app.as(agent).call(announcements.get, { params });
  const image = await app.as(undefined).get(seen.mediaPath!);
  expect([image.status, image.headers["content-type"]]).toEqual([200, "image/png"]);
  const [kept] = await filesOf();

  await app.as(operator).call(announcements.upload, { params, body: picture() });
  expect(await filesOf()).toEqual([expect.not.stringMatching(`^${kept}$`)]);
  const { body: bare } = await app.as(operator).call(announcements.removeMedia, { params });
  expect(bare).toMatchObject({ id, mediaPath: null, mediaName: null });
  expect(await filesOf()).toEqual([]);

  await app.as(operator).call(announcements.upload, { params, body: picture() });
  await app.as(operator).call(announcements.remove, { params });
  expect(await filesOf()).toEqual([]);
});

test.each([
  ["a page", "<html><script>1</script></html>", "mapa.png"],
  ["a text", "apenas palavras", "mapa.jpg"],
  ["a moving picture", "GIF89a\u0001\u0000\u0001\u0000", "mapa.png"],
  ["a document", "%PDF-1.7\n", "mapa.jpeg"],
])("%s that calls itself an image is refused and not kept (O-05)", async (_, content, name) => {
  const { id } = await announce();
  const lie = sending(new TextEncoder().encode(content), name, "image/png");
  expect(await app.as(operator).call(announcements.upload, { params: { id }, body: lie })).toMatchObject({
    status: 415,
    body: { error: "ERR_FILE_TYPE" },
  });
  expect((await app.as(operator).call(announcements.upload, { params: { id }, body: new FormData() })).status).toBe(
    400,
  );
  expect(await filesOf()).toEqual([]);
});

test("an image for an unknown announcement is not stored (O-05)", async () => {
  const params = { id: 2_000_000_000 };
  expect((await app.as(operator).call(announcements.upload, { params, body: picture() })).status).toBe(404);
  expect(await filesOf()).toEqual([]);
});

test("it is published in all companies; an inactive one is published as deleted to all but operators (O-05, S-04)", async () => {
  const here = await app.connect(operator);
  const there = await app.connect(agent);
  const nextPackets = async () => {
    await app.settle();
    return [(await here.next(event)).payload, (await there.next(event)).payload];
  };

  const made = await announce();
  expect(await nextPackets()).toEqual([
    { action: "create", record: made },
    { action: "create", record: made },
  ]);
  const params = { id: made.id };
  const { body: hidden } = await app.as(operator).call(announcements.update, { params, body: { status: false } });
  expect(await nextPackets()).toEqual([
    { action: "update", record: hidden },
    { action: "delete", id: made.id },
  ]);
  const { body: shown } = await app.as(operator).call(announcements.update, { params, body: { status: true } });
  expect(await nextPackets()).toEqual([
    { action: "update", record: shown },
    { action: "update", record: shown },
  ]);
  await app.as(operator).call(announcements.remove, { params });
  expect(await nextPackets()).toEqual([
    { action: "delete", id: made.id },
    { action: "delete", id: made.id },
  ]);
  here.close();
  there.close();
});

test("an announcement whose answer was lost is sent again under its key and announced once (O-05)", async () => {
  const socket = await app.connect(agent);
  const key = { "idempotency-key": crypto.randomUUID() };
  const send = () => app.as(operator).post<Announcement>("/announcements", content, key);
  const answers = [...(await Promise.all([send(), send()])), await send()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const ids = new Set(answers.map(({ body: { id } }) => id));
  expect(ids.size).toBe(1);
  await app.settle();
  await socket.flushed();
  expect(socket.packets.filter((packet) => packet.event === event)).toHaveLength(1);
  expect(await idsSeenBy(agent)).toEqual(expect.arrayContaining([...ids]));
  socket.close();
});

test("only operators may write; strangers may not read (O-05)", async () => {
  const { id } = await announce();
  const calls = [
    [announcements.create, { body: content }],
    [announcements.update, { params: { id }, body: content }],
    [announcements.remove, { params: { id } }],
    [announcements.upload, { params: { id }, body: picture() }],
    [announcements.removeMedia, { params: { id } }],
  ] as const;
  for (const [call, input] of calls) {
    expect((await app.as(admin).call(call, input as never)).status).toBe(403);
    expect((await app.as(undefined).call(call, input as never)).status).toBe(401);
  }
  expect((await app.as(undefined).call(announcements.list)).status).toBe(401);
  expect(await idsSeenBy(admin)).toContain(id);
});

import { fileListRules, fileLists, queueOptions } from "@prosa/contract";
import type { FileList } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestCaller } from "#server/testing/app.ts";
import { aCompany, aQueue, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { storageKeyOf } from "#server/testing/media.ts";
import { fileListMessages } from "./index.ts";

let app: TestApp;
let company: TestCompany;
let admin: TestCaller;
beforeAll(async () => {
  app = await createTestApp();
  company = await aCompany(app);
  admin = app.as(company.admin);
});
afterAll(() => app.close());

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const picture = (name: string) => new File([png], name, { type: "image/png" });

const create = async (captions: readonly string[] = ["Frente", "Verso"], name = "Catálogo") => {
  const options = captions.map((caption) => ({ name: caption }));
  const { body } = await admin.call(fileLists.create, { body: { name, message: "Veja, {{firstName}}", options } });
  return body;
};
const read = async (id: number) => (await admin.call(fileLists.get, { params: { id } })).body;
const change = async (id: number, body: Parameters<typeof admin.put>[1]) =>
  (await admin.put<FileList>(`/files/${id}`, body)).body;

/** Sends files with a field for each, as clients of the family do. */
function upload(list: FileList, files: readonly File[], ids: readonly (number | string)[] = [], who = admin) {
  const form = new FormData();
  form.append("fileId", String(list.id));
  form.append("typeArch", "fileList");
  files.forEach((file, index) => {
    form.append("mediaType", file.type);
    form.append("name", "whatever");
    form.append("id", String(ids[index] ?? "undefined"));
    form.append("files", file);
  });
  return who.post<FileList>(`/files/uploadList/${list.id}`, form);
}

const isStored = async (address: string | null) =>
  (await app.services.storage.stat(storageKeyOf(app, address))) !== undefined;

test("a list is made with its options in their order, and files come to them by their ids (O-07)", async () => {
  const list = await create(["Frente", "Verso", ""]);
  expect(list).toMatchObject({ name: "Catálogo", userId: company.admin.userId });
  expect(list.options.map(({ name, path }) => [name, path])).toEqual([
    ["Frente", null],
    ["Verso", null],
    ["", null],
  ]);
  const [front, back] = list.options;
  const { body: filled } = await upload(list, [picture("verso.png"), picture("frente.png")], [back!.id, front!.id]);
  expect(filled.options).toMatchObject([
    { id: front!.id, mediaName: "frente.png", mediaType: "image/png" },
    { id: back!.id, mediaName: "verso.png" },
    { mediaName: null, path: null },
  ]);
  expect(await app.as(undefined).get(filled.options[0]!.path!)).toMatchObject({
    status: 200,
    headers: { "content-type": "image/png" },
  });
  expect(await read(list.id)).toEqual(filled);
});

test("options are renamed, ordered, added and deleted; files stay with their options or go with them (O-07)", async () => {
  const list = await create(["Um", "Dois", "Três"]);
  const { body: filled } = await upload(list, [picture("1.png"), picture("2.png"), picture("3.png")]);
  const [one, two, three] = filled.options;

  const changed = await change(list.id, {
    name: "Tabela",
    options: [{ ...three, name: "Último" }, { name: "Novo" }, { id: one!.id, name: "Um", path: null }],
  });
  expect(changed).toMatchObject({ name: "Tabela", message: "Veja, {{firstName}}" });
  expect(changed.options).toMatchObject([
    { id: three!.id, name: "Último", mediaName: "3.png" },
    { name: "Novo", mediaName: null },
    { id: one!.id, name: "Um", mediaName: null, path: null },
  ]);
  expect(await Promise.all([one, two, three].map((option) => isStored(option!.path)))).toEqual([false, false, true]);

  // only its name: the options stay
  expect((await change(list.id, { name: "Outra" })).options).toEqual(changed.options);
});

test("a file that a colleague has added meanwhile stays, behind those of the form that did not know of it (O-07)", async () => {
  const list = await create(["Um", "Dois"]);
  const [one, two] = list.options;
  const added = await change(list.id, {
    options: [one, two, { name: "Da colega" }],
    knownOptionIds: [one!.id, two!.id],
  });
  const theirs = added.options[2]!;
  await upload(added, [picture("colega.png")], [theirs.id]);

  const saved = await change(list.id, { options: [{ name: "Novo" }, two], knownOptionIds: [one!.id, two!.id] });
  expect(saved.options).toMatchObject([
    { name: "Novo" },
    { id: two!.id },
    { id: theirs.id, name: "Da colega", mediaName: "colega.png" },
  ]);
  expect(await isStored(saved.options[2]!.path)).toBe(true);

  // a client that names none speaks of all
  expect((await change(list.id, { options: [two] })).options).toMatchObject([{ id: two!.id }]);
});

test("a new file whose answer was lost is there once when it is saved again, and gone when it was taken off meanwhile (O-07)", async () => {
  const list = await create(["Um"]);
  const ids = list.options.map(({ id }) => id);
  const clientId = crypto.randomUUID();
  const options = [...list.options, { name: "", clientId }];
  const lost = await change(list.id, { options, knownOptionIds: ids });
  const again = await change(list.id, {
    options: [{ name: "Frente", clientId }, ...list.options],
    knownOptionIds: ids,
    knownClientIds: [clientId],
  });
  expect(again.options).toMatchObject([{ id: lost.options[1]!.id, name: "Frente" }, { id: ids[0] }]);

  const without = { options: list.options, knownOptionIds: ids, knownClientIds: [clientId] };
  expect((await change(list.id, without)).options).toEqual(list.options);
});

test("two colleagues do not fill a list with more files than it may have: the second is told (O-07)", async () => {
  const list = await create(Array.from({ length: fileListRules.maxOptions - 1 }, (_, n) => `Foto ${n}`));
  const knownOptionIds = list.options.map(({ id }) => id);
  const added = { options: [...list.options, { name: "Nova" }], knownOptionIds };
  const { options } = await change(list.id, added);
  expect(options).toHaveLength(fileListRules.maxOptions);
  expect(await admin.put(`/files/${list.id}`, added)).toMatchObject({
    status: 400,
    body: {
      error: "ERR_VALIDATION",
      message: expect.stringContaining("colega"),
      details: { fields: { options: "Too many files" } },
    },
  });
  expect((await read(list.id)).options).toEqual(options);
});

test("a list whose answer was lost is sent again under its key and made once (O-07)", async () => {
  const key = { "idempotency-key": crypto.randomUUID() };
  const body = { name: "Tabela repetida", message: "Veja", options: [{ name: "Frente" }] };
  const send = () => admin.post<FileList>("/files", body, key);
  const answers = [...(await Promise.all([send(), send()])), await send()];
  expect(answers.map((answer) => answer.body)).toEqual(answers.map(() => answers[0]!.body));
  const { body: found } = await admin.get<{ count: number }>("/files?searchParam=repetida&pageNumber=1");
  expect(found.count).toBe(1);
});

test("another file replaces the one before, which is deleted; the list goes with its files (O-07)", async () => {
  const list = await create(["Frente"]);
  const ids = list.options.map(({ id }) => id);
  const first = (await upload(list, [picture("a.png")], ids)).body.options[0]!;
  const second = (await upload(list, [picture("b.png")], ids)).body.options[0]!;
  expect(second.mediaName).toBe("b.png");
  expect([await isStored(first.path), await isStored(second.path)]).toEqual([false, true]);

  expect((await admin.delete(`/files/${list.id}`)).status).toBe(200);
  expect(await isStored(second.path)).toBe(false);
  expect((await admin.get(`/files/${list.id}`)).status).toBe(404);
});

test("a web page, an empty form and a file too many are refused, and nothing is kept of them (O-07, E-01)", async () => {
  const list = await create(["Frente"]);
  const page = new File(["<html><script>1</script></html>"], "x.html", { type: "image/png" });
  expect(await upload(list, [page])).toMatchObject({ status: 415 });
  expect(await upload(list, [])).toMatchObject({ status: 400 });
  expect(await upload(list, [picture("1.png"), picture("2.png")])).toMatchObject({
    status: 400,
    body: { details: { fields: { files: expect.any(String) } } },
  });
  expect((await read(list.id)).options).toMatchObject([{ path: null }]);
});

test("the name has three characters and the message is required, in a sentence (O-07)", async () => {
  const fields = { name: "Ab", message: "Veja" };
  expect(await admin.post("/files", fields)).toMatchObject({
    status: 400,
    body: { message: "Nome: nome muito curto, ao menos 3 caracteres" },
  });
  expect(await admin.post("/files", { name: "Catálogo", message: " " })).toMatchObject({
    status: 400,
    body: { details: { fields: { message: "Required" } } },
  });
});

test("lists are searched without accents, in pages; with companyId all come at once (O-07)", async () => {
  const shop = await aCompany(app);
  const owner = app.as(shop.admin);
  for (let n = 0; n < 21; n += 1) {
    const name = `Promoção ${String(n).padStart(2, "0")}`;
    await owner.call(fileLists.create, { body: { name, message: "Veja" } });
  }
  const page = async (query: string) =>
    (await owner.get<{ files: FileList[]; count: number; hasMore: boolean }>(`/files?${query}`)).body;
  expect(await page("searchParam=PROMOCAO&pageNumber=1")).toMatchObject({ count: 21, hasMore: true });
  const second = await page("searchParam=promocao&pageNumber=2");
  expect([second.hasMore, second.files.map(({ name }) => name)]).toEqual([false, ["Promoção 20"]]);
  const all = await page(`companyId=${shop.id}`);
  expect([all.files.length, all.hasMore]).toEqual([21, false]);
});

test("users read lists, admins change them; changes are told to all (O-07)", async () => {
  const agent = await aUser(company);
  const socket = await app.connect(agent);
  const event = `company-${company.id}-file`;
  const list = await create();
  await app.settle();
  expect((await socket.next(event)).payload).toMatchObject({ action: "create", record: { id: list.id } });
  await upload(list, [picture("a.png")]);
  await app.settle();
  expect((await socket.next(event)).payload).toMatchObject({
    action: "update",
    record: { id: list.id, options: [{ mediaName: "a.png" }, { mediaName: null }] },
  });

  const user = app.as(agent);
  expect((await user.get(`/files/${list.id}`)).status).toBe(200);
  expect((await user.post("/files", { name: "Minha", message: "Oi" })).status).toBe(403);
  expect((await user.put(`/files/${list.id}`, { name: "Minha" })).status).toBe(403);
  expect((await upload(list, [picture("a.png")], [], user)).status).toBe(403);
  expect((await user.delete(`/files/${list.id}`)).status).toBe(403);

  await admin.delete(`/files/${list.id}`);
  await app.settle();
  expect((await socket.next(event)).payload).toEqual({ action: "delete", id: list.id });
  socket.close();
});

test("an option of a queue has a list of its own company, and loses it when the list is deleted (O-07, Q-02)", async () => {
  const queue = await aQueue(company);
  const list = await create();
  const neighbour = await aCompany(app);
  const theirs = await app
    .as(neighbour.admin)
    .call(fileLists.create, { body: { name: "Deles", message: "Deles", options: [] } });
  const option = { queueId: queue.id, title: "Fotos", fileListId: theirs.body.id };
  expect((await admin.post("/queue-options", option)).status).toBe(404);
  const made = await admin.call(queueOptions.create, { body: { ...option, fileListId: list.id } });
  expect(made.body.fileListId).toBe(list.id);

  await admin.delete(`/files/${list.id}`);
  const { body: tree } = await admin.call(queueOptions.tree, { params: { id: queue.id } });
  expect(tree).toMatchObject([{ id: made.body.id, fileListId: null }]);
});

test("a list that a scheduled or running campaign sends is not deleted, and stays whole (O-07, K-05)", async () => {
  const list = await create(["Frente"]);
  const filled = (await upload(list, [picture("a.png")])).body;
  const campaignIs = (status: string) =>
    company.inside(({ db }) =>
      sql`update campaigns set status = ${status} where file_list_id = ${list.id}`.execute(db),
    );
  await company.inside(({ db }) =>
    sql`insert into campaigns (company_id, name, status, file_list_id) values (${company.id}, 'C', 'PROGRAMADA', ${list.id})`.execute(
      db,
    ),
  );
  const remove = async () => (await admin.delete<{ error: string }>(`/files/${list.id}`)).body.error;
  expect(await remove()).toBe("ERR_IN_USE");
  await campaignIs("EM_ANDAMENTO");
  expect(await remove()).toBe("ERR_IN_USE");
  expect(await read(list.id)).toEqual(filled);
  expect(await isStored(filled.options[0]!.path)).toBe(true);

  await campaignIs("CANCELADA");
  expect(await remove()).toBeUndefined();
});

test("what is sent of a list: its message, and the files in their order; nothing of one that is gone (O-07)", async () => {
  const list = await create(["Frente", "Sem arquivo", "Verso"]);
  const [front, , back] = list.options;
  await upload(list, [picture("f.png"), picture("v.png")], [front!.id, back!.id]);
  expect(await company.inside((ctx) => fileListMessages(ctx, list.id))).toMatchObject({
    text: "Veja, {{firstName}}",
    files: [
      { caption: "Frente", name: "f.png", type: "image/png", size: png.length },
      { caption: "Verso", name: "v.png" },
    ],
  });
  await admin.delete(`/files/${list.id}`);
  expect(await company.inside((ctx) => fileListMessages(ctx, list.id))).toEqual({ text: "", files: [] });
});

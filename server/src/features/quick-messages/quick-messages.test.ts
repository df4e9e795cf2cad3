import type { QuickMessage } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { storageKeyOf } from "#server/testing/media.ts";
import { quickMessagesFeature } from "./feature.ts";
import { releaseQuickMessages } from "./quick-messages.service.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk([quickMessagesFeature({ onChanged: () => Promise.resolve() })]);
});
afterAll(() => desk.app.close());

const create = async (who: Person, fields: Partial<QuickMessage> = {}) =>
  (await who.post<QuickMessage>("/quick-messages", { shortcode: "ola", message: "Olá, {{name}}!", ...fields })).body;
const page = async (who: Person, query = "") =>
  (await who.get<{ records: QuickMessage[]; count: number; hasMore: boolean }>(`/quick-messages?${query}`)).body;
const suggested = async (who: Person) =>
  (await who.get<QuickMessage[]>("/quick-messages/list")).body.map(({ id }) => id);

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
function picture(name = "mesa.png"): FormData {
  const form = new FormData();
  form.set("file", new File([png], name, { type: "image/png" }));
  return form;
}

test("a personal quick message is visible to its author only, a general one to all users (O-01)", async () => {
  const author = await desk.person("user");
  const colleague = await desk.person("user");
  const own = await create(author, { shortcode: "minha" });
  const shared = await create(author, { shortcode: "nossa", geral: true });

  expect(await suggested(author)).toEqual(expect.arrayContaining([own.id, shared.id]));
  const theirs = await suggested(colleague);
  expect(theirs).toContain(shared.id);
  expect(theirs).not.toContain(own.id);
  expect(await colleague.get(`/quick-messages/${own.id}`)).toMatchObject({ status: 404 });
  expect(await colleague.get(`/quick-messages/${shared.id}`)).toMatchObject({ status: 200 });
});

test("the list is searched by shortcode and text without accents and case, in pages (O-01)", async () => {
  const author = await desk.person("user");
  for (let n = 0; n < 21; n += 1) {
    await create(author, { shortcode: `zz${String(n).padStart(2, "0")}`, message: "Promoção de verão" });
  }
  const first = await page(author, "searchParam=promocao");
  expect(first).toMatchObject({ count: 21, hasMore: true });
  expect(first.records.map(({ shortcode }) => shortcode).slice(0, 2)).toEqual(["zz00", "zz01"]);
  const second = await page(author, "searchParam=promocao&pageNumber=2");
  expect(second).toMatchObject({ hasMore: false, records: [{ shortcode: "zz20" }] });
  expect(await page(author, "searchParam=zz07")).toMatchObject({ count: 1 });
});

test("an inactive one stays in the list and is not suggested (O-01, M-12)", async () => {
  const author = await desk.person("user");
  const { id } = await create(author, { shortcode: "desligada" });
  const { body } = await author.put<QuickMessage>(`/quick-messages/${id}`, { status: false });
  expect(body).toMatchObject({ status: false, shortcode: "desligada", message: "Olá, {{name}}!" });
  expect(await suggested(author)).not.toContain(id);
  expect((await page(author)).records.map((record) => record.id)).toContain(id);
});

test("the author and an admin may change it, a colleague may not (O-01)", async () => {
  const author = await desk.person("user");
  const { id } = await create(author, { geral: true });
  const colleague = await desk.person("user");
  const admin = await desk.person("admin");

  expect(await colleague.put(`/quick-messages/${id}`, { message: "outra" })).toMatchObject({ status: 403 });
  expect(await colleague.delete(`/quick-messages/${id}`)).toMatchObject({ status: 403 });
  expect(await colleague.post(`/quick-messages/${id}/media-upload`, picture())).toMatchObject({ status: 403 });
  expect(await colleague.delete(`/quick-messages/${id}/media-upload`)).toMatchObject({ status: 403 });
  expect(await admin.put(`/quick-messages/${id}`, { message: "melhor" })).toMatchObject({
    body: { message: "melhor" },
  });
  expect(await author.delete(`/quick-messages/${id}`)).toMatchObject({ status: 200 });
  expect(await author.get(`/quick-messages/${id}`)).toMatchObject({ status: 404 });
});

test("a file is attached, fetched by its URL, replaced and removed; the old one is deleted; spaces in its name become underscores (O-01)", async () => {
  const author = await desk.person("user");
  const { id } = await create(author);
  const { body: first } = await author.post<QuickMessage>(`/quick-messages/${id}/media-upload`, picture());
  expect(first).toMatchObject({ isMedia: true, mediaName: "mesa.png" });
  const file = await desk.app.as(undefined).get(first.mediaUrl ?? "");
  expect(file).toMatchObject({ status: 200, headers: { "content-type": "image/png" } });

  const { body: second } = await author.post<QuickMessage>(
    `/quick-messages/${id}/media-upload`,
    picture("outra mesa 2.png"),
  );
  expect(second.mediaName).toBe("outra_mesa_2.png");
  expect(await desk.app.services.storage.stat(storageKeyOf(desk.app, first.mediaPath))).toBeUndefined();
  const { body: bare } = await author.delete<QuickMessage>(`/quick-messages/${id}/media-upload`);
  expect(bare).toMatchObject({ isMedia: false, mediaPath: null, mediaName: null, mediaUrl: null });
  expect(await desk.app.services.storage.stat(storageKeyOf(desk.app, second.mediaPath))).toBeUndefined();
});

test("an HTML page is refused as an attachment (O-01)", async () => {
  const author = await desk.person("user");
  const { id } = await create(author);
  const form = new FormData();
  form.set("file", new File(["<html><script>1</script></html>"], "x.html", { type: "image/png" }));
  expect(await author.post(`/quick-messages/${id}/media-upload`, form)).toMatchObject({ status: 415 });
  expect(await author.post(`/quick-messages/${id}/media-upload`, new FormData())).toMatchObject({ status: 400 });
});

test("changes are published; other users get no content of a personal one (O-01)", async () => {
  const author = await desk.person("user");
  const own = await author.connect();
  const other = await (await desk.person("user")).connect();
  const event = `company-${desk.companyId}-quickmessage`;

  const { id } = await create(author, { message: "segredo", geral: false });
  await desk.app.settle();
  expect((await own.next(event)).payload).toMatchObject({ action: "create", record: { id, message: "segredo" } });
  expect((await other.next(event)).payload).toEqual({ action: "delete", id });

  await author.put(`/quick-messages/${id}`, { geral: true });
  await desk.app.settle();
  expect((await other.next(event)).payload).toMatchObject({ action: "update", record: { id, message: "segredo" } });

  await author.delete(`/quick-messages/${id}`);
  await desk.app.settle();
  expect((await other.next(event)).payload).toEqual({ action: "delete", id });
  own.close();
  other.close();
});

test("one whose answer was lost is sent again under its key and made once (O-01)", async () => {
  const author = await desk.person("user");
  const key = { "idempotency-key": crypto.randomUUID() };
  const send = (who: Person) => who.post<QuickMessage>("/quick-messages", { shortcode: "repetida" }, key);
  const answers = [...(await Promise.all([send(author), send(author)])), await send(author)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(await page(author, "searchParam=repetida")).toMatchObject({ count: 1 });
});

test("a general one whose author was deleted, made personal by an admin, is that admin's and no lost row (O-01)", async () => {
  const author = await desk.person("user");
  const [admin, colleague] = [await desk.person("admin"), await desk.person("admin")];
  const { id } = await create(author, { shortcode: "herdada", geral: true });
  await desk.within(async (ctx) => {
    await releaseQuickMessages(ctx, author.id);
    await sql`delete from users where company_id = ${ctx.companyId} and id = ${author.id}`.execute(ctx.db);
  });
  const { body } = await admin.put<QuickMessage>(`/quick-messages/${id}`, { geral: false });
  expect(body).toMatchObject({ geral: false, userId: admin.id });
  expect(await page(admin, "searchParam=herdada")).toMatchObject({ records: [{ id }] });
  expect(await suggested(admin)).toContain(id);
  expect(await page(colleague, "searchParam=herdada")).toMatchObject({ records: [] });

  // whoever changes another's keeps them its author
  const own = await create(colleague, { shortcode: "alheia", geral: true });
  expect(await admin.put(`/quick-messages/${own.id}`, { geral: false })).toMatchObject({
    body: { userId: colleague.id },
  });
});

test("a shortcode is required (O-01)", async () => {
  const author = await desk.person("user");
  expect(await author.post("/quick-messages", { shortcode: "  ", message: "x" })).toMatchObject({
    status: 400,
    body: { details: { fields: { shortcode: "Obrigatório" } } },
  });
});

test("strangers are refused and other companies find nothing (O-01, N-06)", async () => {
  const { id } = await create(await desk.person("admin"), { geral: true });
  const calls = (who: Pick<Person, "get" | "put" | "post" | "delete">) => [
    who.get(`/quick-messages/${id}`),
    who.put(`/quick-messages/${id}`, { message: "x" }),
    who.delete(`/quick-messages/${id}`),
    who.post(`/quick-messages/${id}/media-upload`, picture()),
    who.delete(`/quick-messages/${id}/media-upload`),
  ];
  const stranger = desk.app.as(undefined);
  const other = await (await desk.otherCompany()).person("admin");
  const refused = [
    ...calls(stranger),
    stranger.get("/quick-messages"),
    stranger.get("/quick-messages/list"),
    stranger.post("/quick-messages", { shortcode: "x" }),
  ];
  expect((await Promise.all(refused)).map(({ status }) => status)).toEqual(refused.map(() => 401));
  expect((await Promise.all(calls(other))).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect((await page(other)).records).toEqual([]);
  expect(await suggested(other)).toEqual([]);
});

import { companyExports } from "@prosa/contract";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { features } from "#server/app/features.ts";
import { importCompany } from "#server/app/move-in/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { askAsOwner, asOwner } from "#server/testing/as-owner.ts";
import { aCompany, aConnection, aContact, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { companyExportsFeature } from "./feature.ts";
import type { WriteCompany } from "./index.ts";

let app: TestApp;
/** Stands in for the real writer in one test. */
let write: WriteCompany | undefined;
const env = { SMTP_URL: "smtp://127.0.0.1:1", PUBLIC_URL: "https://prosa.test" };
beforeAll(async () => {
  app = await createTestApp({ env });
});
afterAll(() => app.close());

const ask = <Row>(statement: string) => askAsOwner<Row>(app.database.url, statement);
const list = async (company: TestCompany, of = app) =>
  (await of.as(company.admin).call(companyExports.list)).body.records;
const start = async (company: TestCompany, of = app) => (await of.as(company.admin).call(companyExports.start)).body;
const audited = async (company: TestCompany) =>
  (
    await ask<{ action: string }>(
      `select action from audit_log where company_id = ${company.id} and action like 'company.export%' order by id`,
    )
  ).map(({ action }) => action.replace("company.export-", ""));
const expire = () =>
  features
    .flatMap(({ crons }) => crons?.(app.services) ?? [])
    .find(({ name }) => name === "company-exports.expire")!
    .run({ ...app.services, signal: AbortSignal.timeout(10_000) } as never);
const stored = async (company: TestCompany) => archivesOf(app, company.id);

test("an admin has everything of the company written, downloads it, and another installation takes it in (E-09)", async () => {
  const company = await aCompany(app);
  await aConnection(company, { isDefault: true });
  await aContact(company, { name: "Bruno" });
  const begun = await start(company);
  expect(begun).toMatchObject({ state: "waiting", done: 0 });
  // one at a time: asked again, it is the same
  expect(await start(company)).toMatchObject({ id: begun.id });
  // as if the process had died amid it
  await asOwner(
    app.database.url,
    `update company_exports set state = 'running', done = 99, total = 100 where id = ${begun.id}`,
  );
  await app.settle();
  const [ready] = await list(company);
  expect(ready).toMatchObject({ id: begun.id, state: "finished", failure: null });
  expect(ready!.done).toBe(ready!.total);
  expect(ready!.done).toBeGreaterThan(2);
  expect(await ask(`select payload ->> 'subject' as subject from jobs where task = 'mail.send'`)).toEqual([
    { subject: "Prosa: a exportação da empresa está pronta" },
  ]);

  const params = { id: begun.id };
  const { url } = (await app.as(company.admin).call(companyExports.link, { params })).body;
  expect(url).toMatch(/^https:\/\/prosa\.test\/media\//u);
  const { rawPayload, headers, statusCode } = await app.product.http.fastify.inject({
    url: new URL(url).pathname,
    headers: { range: "bytes=0-" },
  });
  expect([statusCode, rawPayload.length]).toEqual([206, ready!.size]);
  expect(headers["content-disposition"]).toMatch(/^attachment; filename="empresa-.*\.tar\.zst"/u);
  const folder = await mkdtemp(join(tmpdir(), "prosa-export-"));
  const there = await createTestApp({ closeAfterTest: true });
  const file = join(folder, "empresa.tar.zst");
  await writeFile(file, rawPayload);
  await importCompany({
    ...{ url: there.database.url, storage: there.services.storage, file, passphrase: undefined, isDry: false },
    onProgress: () => undefined,
  });
  expect(await askAsOwner(there.database.url, "select name from contacts")).toEqual([{ name: "Bruno" }]);
  await rm(folder, { recursive: true });

  // the next one takes its place, and one whose time is over is neither served nor kept
  await start(company);
  await app.settle();
  expect((await list(company)).map(({ state }) => state)).toEqual(["finished"]);
  expect(await stored(company)).toHaveLength(1);
  expect((await app.product.http.fastify.inject({ url: new URL(url).pathname })).statusCode).toBe(404);
  const [second] = await list(company);
  const link = await app.as(company.admin).call(companyExports.link, { params: { id: second!.id } });
  await asOwner(app.database.url, `update company_exports set expires_at = now() where company_id = ${company.id}`);
  expect((await app.product.http.fastify.inject({ url: new URL(link.body.url).pathname })).statusCode).toBe(404);
  expect((await app.as(company.admin).call(companyExports.link, { params: { id: second!.id } })).status).toBe(404);
  await expire();
  expect([await list(company), await stored(company)]).toEqual([[], []]);
  expect(await audited(company)).toEqual(["requested", "downloaded", "requested", "downloaded"]);
});

test("what is sent again is answered, not counted: under its key after the archive is done too, and while one is written (E-09)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const headers = { "idempotency-key": crypto.randomUUID() };
  const send = () => admin.post<{ id: number }>(companyExports.start.path, {}, headers);
  const answers = await Promise.all(Array.from({ length: 15 }, send));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  await app.settle();
  answers.push(await send());
  expect(answers.at(-1)).toMatchObject({ status: 200, body: { id: answers[0]!.body.id } });

  const others = [];
  for (let made = 1; made < 10; made += 1) {
    others.push(await start(company), await start(company));
    await app.settle();
  }
  expect(new Set(others.map(({ id }) => id)).size).toBe(9);
  expect(await admin.post(companyExports.start.path, {})).toMatchObject({ status: 429 });
  expect(await send()).toMatchObject({ status: 200 });
});

test("only admins of the company export it, delete an archive, and cancel one that waits (E-09)", async () => {
  const [company, other] = [await aCompany(app), await aCompany(app)];
  const { id } = await start(company);
  const params = { id };
  const agent = await aUser(company);
  expect((await app.as(agent).call(companyExports.start)).status).toBe(403);
  expect((await app.as(agent).call(companyExports.link, { params })).status).toBe(403);
  expect((await app.as(other.admin).call(companyExports.remove, { params })).status).toBe(404);
  expect((await app.as(undefined).call(companyExports.list)).status).toBe(401);
  expect(await list(other)).toEqual([]);
  expect((await app.as(company.admin).call(companyExports.remove, { params })).status).toBe(200);
  await app.settle();
  expect(await list(company)).toMatchObject([{ state: "cancelled" }]);
  expect(await stored(company)).toEqual([]);

  // One whose job died with its process at each attempt ends within the hour; one that waits goes on.
  const { id: abandoned } = await start(company);
  await expire();
  expect((await list(company))[0]).toMatchObject({ id: abandoned, state: "waiting" });
  await asOwner(
    app.database.url,
    `delete from jobs where company_id = ${company.id} and task = 'company-exports.write'`,
  );
  await expire();
  expect((await list(company))[0]).toMatchObject({ id: abandoned, state: "failed", failure: "failed" });
  const next = await start(company);
  expect(next.id).not.toBe(abandoned);
  await app.settle();
  expect((await app.as(company.admin).call(companyExports.remove, { params: { id: next.id } })).status).toBe(200);
  expect([await list(company), await stored(company)]).toEqual([[], []]);
  expect(await audited(company)).toEqual(["requested", "cancelled", "requested", "requested", "deleted"]);
});

test("a full disk, a cancellation under way and an erasure end an archive, and nothing of it stays (E-09)", async () => {
  const own = await createTestApp({
    sameDatabaseAs: app,
    closeAfterTest: true,
    features: [
      ...features.filter(({ name }) => name !== "company-exports"),
      companyExportsFeature((order) => write!(order)),
    ],
  });
  const company = await aCompany(own);
  const endless = (onStart: () => Promise<unknown>) => {
    async function* pieces() {
      await onStart();
      for (;;) {
        yield Buffer.from("uma linha\n");
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    return Readable.from(pieces());
  };
  write = ({ onPlan }) => endless(async () => onPlan({ things: 1, bytes: Number.MAX_SAFE_INTEGER }));
  await start(company, own);
  await own.settle();
  expect(await list(company, own)).toMatchObject([{ state: "failed", failure: "noSpace" }]);

  const { id } = await start(company, own);
  write = () => endless(() => own.as(company.admin).call(companyExports.remove, { params: { id } }));
  await own.settle();
  expect(await list(company, own)).toMatchObject([{ state: "cancelled", failure: null }]);

  const contact = await aContact(company, { name: "Quem sai", number: "5511988887777" });
  await start(company, own);
  const archive = companyExportsFeature((order) => write!(order)).personalData![0]!;
  write = () =>
    endless(() =>
      company.inside((ctx) => archive.erase(ctx, { contactId: contact.id, numbers: [], lids: [], emails: [] }, 10)),
    );
  await own.settle();
  expect(await list(company, own)).toMatchObject([{ state: "failed", failure: "erased" }]);
  expect(await archivesOf(own, company.id)).toEqual([]);
});

async function archivesOf({ services }: TestApp, companyId: number): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of services.storage.list(companyId, "company-exports")) {
    keys.push(key);
  }
  return keys;
}

import { storage as storageCalls } from "@prosa/contract";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { asOwner } from "#server/testing/as-owner.ts";
import { aCompany, aUser } from "#server/testing/factories.ts";
import type { TestCompany, TestUser } from "#server/testing/factories.ts";

const noSpace = () => Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
let app: TestApp;
let company: TestCompany;
let agent: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  company = await aCompany(app, { isOperator: true });
  agent = await aUser(company);
});
beforeEach(() => vi.restoreAllMocks());
afterAll(() => app.close());

const ready = () => app.as(undefined).get<{ checks: Record<string, boolean> }>("/ready");
const room = async () => (await app.as(company.admin).call(storageCalls.room)).body;

function upload(): FormData {
  const form = new FormData();
  form.set("file", new File(["hello"], "a.txt"));
  return form;
}

test("a full disk is 503 ERR_STORAGE_FULL, shows in /ready and to the operator, and recovers by itself (E-03)", async () => {
  const { body: quick } = await app
    .as(company.admin)
    .post<{ id: number }>("/quick-messages", { shortcode: "full", message: "text" });
  const attach = () => app.as(company.admin).post(`/quick-messages/${quick.id}/media-upload`, upload());
  expect(await ready()).toMatchObject({ status: 200, body: { checks: { storage: true } } });

  const put = vi.spyOn(app.services.storage, "put").mockRejectedValue(noSpace());
  const refused = await attach();
  expect(refused).toMatchObject({ status: 503, body: { error: "ERR_STORAGE_FULL" } });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect(await ready()).toMatchObject({ status: 503, body: { checks: { storage: false } } });
  expect(await room()).toEqual({ database: true, files: false });

  put.mockRestore();
  expect(await room()).toEqual({ database: true, files: true });
  expect((await ready()).status).toBe(200);
  expect((await attach()).status).toBe(200);
});

test("a database whose disk is full answers 503 ERR_STORAGE_FULL, and recovers by itself (E-03)", async () => {
  // What PostgreSQL says when it cannot extend a file, from a trigger in its place.
  await asOwner(
    app.database.url,
    `
    create function no_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger no_room before insert on tags for each row execute function no_room()`,
  );
  const add = () => app.as(company.admin).post("/tags", { name: "One more" });
  expect(await add()).toMatchObject({ status: 503, body: { error: "ERR_STORAGE_FULL" } });

  const tx = vi.spyOn(app.db, "systemTx").mockImplementation(async () => {
    throw Object.assign(new Error("could not extend file"), { code: "53100" });
  });
  expect(await ready()).toMatchObject({ status: 503, body: { checks: { storage: false } } });
  expect(await room()).toEqual({ database: false, files: true });

  tx.mockRestore();
  await asOwner(app.database.url, "drop trigger no_room on tags");
  expect(await ready()).toMatchObject({ status: 200, body: { checks: { storage: true } } });
  expect((await add()).status).toBe(200);
});

test("a job that fails on a full disk sets the state too (E-03)", async () => {
  app.services.freeSpace.reportError(new Error("the job failed", { cause: noSpace() }));
  vi.spyOn(app.services.storage, "put").mockRejectedValue(noSpace());
  expect((await ready()).status).toBe(503);
  vi.restoreAllMocks();
  expect((await ready()).status).toBe(200);
  // The probe leaves nothing behind.
  expect(await app.services.storage.stat("company/0/room/probe")).toBeUndefined();
});

test("only the operator may read the state of free space", async () => {
  expect((await app.as(agent).call(storageCalls.room)).status).toBe(403);
  expect((await app.as(undefined).call(storageCalls.room)).status).toBe(401);
});

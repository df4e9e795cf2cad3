import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import type { PixCharge } from "@prosa/contract";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import type { TestDatabase } from "#server/testing/database.ts";
import { asaasKeys, startAsaas } from "#server/testing/payments/asaas-server.ts";
import { startServerProcess } from "#server/testing/processes.ts";
import type { ServerProcess } from "#server/testing/processes.ts";
import { makeCompany } from "#server/testing/storm/company.ts";
import type { CompanyCredentials } from "#server/testing/storm/company.ts";
import { signInWithRetries } from "#server/testing/storm/retrying-api.ts";
import { waitUntil } from "#server/testing/wait-until.ts";

/** kill -9 of the real server amid an erasure, a night's retention, the issue of invoices, orders and payments. */
const MESSAGES = 1_500;
/** Of one statement of the set-up: each message is put into the search by a trigger. */
const AT_ONCE = 250;
const COMPANIES = 250;
const PAYERS = 3;

let folder: string;
let database: TestDatabase;
let server: ServerProcess | undefined;
let asaas: Awaited<ReturnType<typeof startAsaas>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "prosa-trust-kill-"));
  [database, asaas] = await Promise.all([createTestDatabase(), startAsaas()]);
  await launch();
});
afterAll(async () => {
  await server?.kill();
  await Promise.all([database.drop(), asaas.close()]);
  await rm(folder, { recursive: true, force: true });
});

async function launch(): Promise<void> {
  const local = pathToFileURL(join(import.meta.dirname, "../features/invoices/settings/local-asaas.fixture.ts")).href;
  const env = {
    DATA_DIR: join(folder, "data"),
    DATABASE_URL: database.url,
    SIMULATOR: "off",
    TEST_ASAAS_URL: asaas.url,
  };
  server = await startServerProcess(env, { nodeArgs: ["--import", local] });
}

async function killAndLaunch(): Promise<void> {
  await server?.kill();
  await launch();
}

const apiOf = (company: CompanyCredentials) => signInWithRetries(() => server?.url ?? "", company);
const inside = async <T>({ companyId }: CompanyCredentials, query: RawBuilder<T>): Promise<readonly T[]> =>
  (await database.inCompany(companyId, (ctx) => query.execute(ctx.db))).rows;
const everywhere = async <T>(query: RawBuilder<T>): Promise<readonly T[]> =>
  (await query.execute(database.db.system)).rows;
const actionsOf = async (company: CompanyCredentials, prefix: string) =>
  inside(
    company,
    sql<{ action: string; details: { messages?: number } }>`select action, details from audit_log
      where company_id = ${company.companyId} and action like ${`${prefix}%`} order by id`,
  );

/** A company with a resolved conversation of many old messages. */
async function aCompanyWithPast(name: string) {
  const company = await makeCompany(database.db, name);
  const api = await apiOf(company);
  await api.call("POST", "/whatsapp", { name: "Loja" });
  const contact = await api.call<{ id: number }>("POST", "/contacts", { name: "Ana Prado", number: "5511988887777" });
  const ticket = await api.call<{ id: number }>("POST", "/tickets", { contactId: contact.id, status: "open" });
  for (let from = 1; from <= MESSAGES; from += AT_ONCE) {
    await inside(
      company,
      sql`insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, ack, is_read, body, sent_at)
        select t.company_id, t.id, t.contact_id, t.connection_id, 'K' || k, k % 2 = 0, 3, true, 'palavra ' || k,
          now() - interval '90 days' - make_interval(secs => k)
        from tickets t, generate_series(${from}::int, ${from + AT_ONCE - 1}::int) k where t.id = ${ticket.id}`,
    );
  }
  await api.call("PUT", `/tickets/${ticket.id}`, { status: "closed" });
  const left = async () =>
    (
      await inside(
        company,
        sql<{ n: number }>`select count(*)::int as n from messages where company_id = ${company.companyId}
          and wa_id like 'K%'`,
      )
    )[0]!.n;
  return { company, api, contact, left };
}

/** Companies that pay, due in a few days; the first few order, the others are there to be many. */
async function payers(planId: number): Promise<CompanyCredentials[]> {
  const made = await Promise.all(Array.from({ length: PAYERS }, (_, n) => makeCompany(database.db, `killpayer${n}`)));
  await everywhere(sql`insert into companies (name, email, phone, plan_id, due_date, recurrence)
    select 'Empresa ' || n, 'e' || n || '@example.com', '', ${planId}::int, current_date + 9, 'MENSAL'
    from generate_series(1, ${COMPANIES}::int) n`);
  await everywhere(sql`update companies set plan_id = ${planId}, due_date = current_date + 9
    where id = any(${made.map(({ companyId }) => companyId)}::int[])`);
  return made;
}

/** The cron is due now, as far as the database knows. */
async function runCrons(...names: string[]): Promise<void> {
  await database.db.systemTx(async (tx) => {
    for (const name of names) {
      tx.enqueue(null, { task: `cron:${name}`, payload: {}, key: `cron:${name}` });
    }
  });
}

test("kill -9 amid erasure, retention, invoices, orders and payments: what was begun is finished once, nothing twice (V-02, F-03 to F-05)", async () => {
  const operator = await makeCompany(database.db, "killoperator");
  await everywhere(sql`update users set is_super = true where company_id = ${operator.companyId}`);
  const boss = await apiOf(operator);
  const plan = { users: 9, connections: 9, queues: 9, value: 49.9, isPublic: false };
  const { id: planId } = await boss.call<{ id: number }>("POST", "/plans", { name: "Pago", ...plan });
  await boss.call("PUT", "/invoices/settings", { provider: "asaas", asaas: asaasKeys });
  const [erased, retained, ordering] = await Promise.all([
    aCompanyWithPast("killerased"),
    aCompanyWithPast("killretained"),
    payers(planId),
  ]);
  await retained.api.call("PUT", "/settings/retentionDays", { value: "30" });

  // All of it begins, and is killed while it is under way.
  const path = `/contacts/${erased.contact.id}/erase`;
  await erased.api.call("POST", path, { confirmation: "5511988887777" });
  await runCrons("privacy.retention", "invoices.issue");
  const orders = Promise.all(
    ordering.map(async (company) => {
      const body = { firstName: "Ana Souza", taxId: "529.982.247-25", price: 0.01 };
      return (await apiOf(company)).call<PixCharge>("POST", "/subscription", body);
    }),
  );
  const isHalfDone = async () => {
    const [one, other] = await Promise.all([erased.left(), retained.left()]);
    return one < MESSAGES || other < MESSAGES;
  };
  await waitUntil(isHalfDone, 20_000);
  await killAndLaunch();
  await sleep(randomInt(300));
  await killAndLaunch();
  const charges = await orders;

  await waitUntil(async () => (await erased.left()) + (await retained.left()) === 0, 30_000);
  const isTold = async () =>
    (await actionsOf(erased.company, "privacy.erased")).length > 0 &&
    (await actionsOf(retained.company, "retention.applied")).length > 0;
  await waitUntil(isTold, 20_000);
  const told = await actionsOf(retained.company, "retention.applied");
  expect(told.reduce((sum, { details }) => sum + (details.messages ?? 0), 0)).toBe(MESSAGES);
  expect((await actionsOf(erased.company, "privacy.")).map(({ action }) => action)).toEqual([
    "privacy.erasure-requested",
    "privacy.erased",
  ]);
  expect(
    await inside(
      erased.company,
      sql`select state, subject from contact_erasures where company_id = ${erased.company.companyId}`,
    ),
  ).toEqual([{ state: "finished", subject: null }]);

  // One invoice and one entry for each company; one charge at Asaas for each order, whatever answers were lost.
  await waitUntil(async () => (await everywhere(sql`select from invoices`)).length === COMPANIES + PAYERS, 20_000);
  const issued = await everywhere(sql<{ entries: number }>`select count(*)::int as entries from audit_log
    where action = 'invoice.issued' group by company_id`);
  expect([issued.length, ...new Set(issued.map(({ entries }) => entries))]).toEqual([COMPANIES + PAYERS, 1]);
  expect(asaas.payments.map(({ externalReference }) => externalReference).toSorted()).toEqual(
    charges.map(({ txid }) => txid).toSorted(),
  );

  // They are paid, told again and again, and the server is killed while it asks.
  asaas.payments.forEach(({ id }) => asaas.pay(id));
  const tell = async () => {
    for (const { id } of [...asaas.payments, ...asaas.payments]) {
      await fetch(`${server?.url}/webhooks/asaas`, {
        method: "POST",
        headers: { "asaas-access-token": asaasKeys.webhookToken, "content-type": "application/json" },
        body: JSON.stringify({ id: "evt", event: "PAYMENT_RECEIVED", payment: { id } }),
      }).catch(() => undefined);
    }
  };
  await Promise.all([tell(), sleep(randomInt(60)).then(killAndLaunch)]);
  await tell();
  const paid = () => everywhere(sql<{ company_id: number }>`select company_id from invoices where status = 'paid'`);
  await waitUntil(async () => (await paid()).length === PAYERS, 20_000);
  expect(
    await everywhere(sql`select company_id, sum(amount)::float8 as credit, count(*)::int as entries from credit_entries
      group by company_id order by company_id`),
  ).toEqual(
    ordering
      .map(({ companyId }) => ({ company_id: companyId, credit: 0, entries: 2 }))
      .toSorted((a, b) => a.company_id - b.company_id),
  );
  for (const company of ordering) {
    expect((await actionsOf(company, "invoice.")).map(({ action }) => action)).toEqual([
      "invoice.issued",
      "invoice.paid",
    ]);
  }
  expect(asaas.wrongs).toEqual([]);
}, 120_000);

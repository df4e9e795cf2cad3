import { prompts, push, queueIntegrations, twoFactor, webhooks } from "@prosa/contract";
import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createVault } from "#server/platform/auth/index.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { sealedAnswers } from "#server/platform/http/index.ts";
import { createTestApp, testSecret } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact, aQueue } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { features } from "./features.ts";

const newSecret = "the secret of tomorrow which has 32 signs and more";
const sealed = [sealedAnswers, ...features.flatMap((feature) => feature.sealed ?? [])];
/** Columns with bytes that are not secret: sent payloads for retries, thumbnails and waveforms, previews of public pages. */
const openBytes = [
  "passkeys.public_key",
  ...["sent_payloads.payload", "media.thumbnail", "media.waveform"],
  ...["audit_heads.hash", "audit_log.hash", "audit_log.personal_hash", "audit_log.salt", "contact_erasures.subject"],
  ...["link_previews.picture", "link_previews.url_hash", "knowledge_vectors.components"],
];

/** Fills each encrypted column; 450 keys of a line, so that rotation takes several transactions. */
async function fill(app: TestApp): Promise<TestCompany> {
  const { vault } = app.services;
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const [line, contact, queue] = [await aConnection(company), await aContact(company), await aQueue(company)];
  await admin.call(prompts.create, {
    body: { name: "Ana", prompt: "Ajude.", queueId: queue.id, apiKey: "sk-1", voiceKey: "azure-1" },
  });
  await admin.call(queueIntegrations.create, {
    body: {
      type: "dialogflow",
      name: "Bot",
      projectName: "bot",
      language: "pt-BR",
      jsonContent: '{"private_key":"k"}',
    },
  });
  await admin.call(queueIntegrations.create, {
    body: { type: "n8n", name: "Pedidos", urlN8N: "https://n8n.example.com/in" },
  });
  await admin.post("/tags", { name: "VIP", color: "#112233" }, { "idempotency-key": "a request of its own" });
  await admin.call(webhooks.create, { body: { url: "https://hooks.example.com/in", events: ["contact.created"] } });
  await admin.call(twoFactor.begin, { body: { password: "prosa123" } });
  await admin.call(push.key);
  await admin.call(push.subscribe, {
    body: { endpoint: "https://push.example.com/1", keys: { p256dh: "p".repeat(87), auth: "a".repeat(22) } },
  });
  await company.inside(async ({ db }) => {
    for (let key = 0; key < 450; key += 1) {
      const value = vault.seal(`key ${key}`, `wa-key:${line.id}:pre-key:${key}`);
      await sql`insert into wa_keys values (${company.id}, ${line.id}, 'pre-key', ${key}, ${value})`.execute(db);
    }
    const creds = vault.seal("creds", `wa-creds:${line.id}`);
    await sql`insert into wa_creds (company_id, connection_id, value) values (${company.id}, ${line.id}, ${creds})`.execute(
      db,
    );
    const { rows } = await sql<{ id: number }>`
      with ticket as (insert into tickets (company_id, connection_id, contact_id, status)
        values (${company.id}, ${line.id}, ${contact.id}, 'pending') returning id)
      insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, body, sent_at, from_me)
      select ${company.id}, id, ${contact.id}, ${line.id}, 'W1', '', now(), false from ticket returning id`.execute(db);
    const source = vault.seal("source", `media:${line.id}`);
    await sql`insert into media (message_id, company_id, state, source)
      values (${rows[0]!.id}, ${company.id}, 'wanted', ${source})`.execute(db);
  });
  const keys = vault.sealText("{}", "payment-account:efi");
  await sql`insert into payment_accounts (provider, sealed) values ('efi', ${keys})`.execute(app.db.system);
  return company;
}

/** The key ids of the values in each encrypted column. */
async function keysIn(app: TestApp): Promise<Record<string, Record<string, number>>> {
  const client = new pg.Client({ connectionString: app.database.url });
  await client.connect();
  try {
    const found: Record<string, Record<string, number>> = {};
    for (const { table, column } of sealed) {
      const { rows } = await client.query<{ value: Buffer | string | null }>(`select ${column} value from ${table}`);
      const ids = rows.flatMap(({ value }) => (value === null ? [] : [keyIdOf(value)]));
      found[`${table}.${column}`] = Object.fromEntries(
        [...Map.groupBy(ids, (id) => id)].map(([id, all]) => [id, all.length]),
      );
    }
    return found;
  } finally {
    await client.end();
  }
}

function keyIdOf(value: Buffer | string): string {
  const bytes = typeof value === "string" ? Buffer.from(value, "base64url") : value;
  return bytes.toString("hex", 1, 5);
}

const idOf = (...secrets: string[]) => Buffer.from(createVault(secrets).keyId).toString("hex");

test("after a rotation all values of the old key are encrypted with the new one within the hour, once, and open without the old", async () => {
  const clock = createMovedClock(new Date());
  const first = await createTestApp({ clock, closeAfterTest: true });
  const company = await fill(first);
  const [before, after] = [idOf(testSecret), idOf(newSecret)];
  const counts = await keysIn(first);
  expect(Object.values(counts)).toEqual(sealed.map(({ table }) => ({ [before]: table === "wa_keys" ? 450 : 1 })));
  await first.settle();

  const restarted = async (secrets: string) => {
    const app = await createTestApp({ sameDatabaseAs: first, env: { SECRET_KEY: secrets } });
    onTestFinished(() => app.close());
    return app;
  };
  // a value that cannot be decrypted is left unchanged and does not stop the others
  const lost = createVault(["a secret that was lost of 32 and more signs"]).seal("x", "wa-key:1:pre-key:1");
  await company.inside(({ db }) => sql`update wa_keys set value = ${lost} where id = '7'`.execute(db));
  const rotated = await restarted(`${newSecret},${testSecret}`);
  await rotated.settle();
  clock.advance({ hours: 1 });
  await rotated.settle();
  expect(Object.values(await keysIn(rotated))).toEqual(
    sealed.map(({ table }) => (table === "wa_keys" ? { [after]: 449, [keyIdOf(lost)]: 1 } : { [after]: 1 })),
  );

  const bytes = () =>
    company.inside(({ db }) => sql<{ value: Buffer }>`select value from wa_keys order by id`.execute(db));
  const sealedOnce = await bytes();
  clock.advance({ hours: 1 });
  await rotated.settle();
  expect((await bytes()).rows).toEqual(sealedOnce.rows);

  const { vault } = (await restarted(newSecret)).services;
  await company.inside(async ({ db }) => {
    for (const { table, column, key, extraColumns: also = {}, contextOf, isText, where } of sealed.filter(
      ({ isShared }) => !isShared,
    )) {
      const columns = [...key.map((name) => sql.ref(name)), ...Object.values(also)];
      const names = [...key, ...Object.keys(also)];
      const { rows } = await sql<Record<string, string | number>>`
        select ${sql.ref(column)} as sealed, ${sql.join(columns.map((of, at) => sql`${of} as ${sql.ref(names[at]!)}`))}
        from ${sql.table(table)} where ${where ?? sql`true`} and ${sql.ref(column)} is not null`.execute(db);
      const opened = rows.flatMap((row) =>
        row["id"] === "7"
          ? []
          : isText
            ? vault.openText(String(row["sealed"]), contextOf(row))
            : vault.open(row["sealed"] as never, contextOf(row)),
      );
      expect(opened).toHaveLength(table === "wa_keys" ? 449 : 1);
    }
  });
});

test("after the secret was lost devices subscribe anew, and a code of an authenticator app is refused (N-01, V-03)", async () => {
  const first = await createTestApp({ closeAfterTest: true });
  const company = await fill(first);
  const { body: former } = await first.as(company.admin).call(push.key);

  const lost = await createTestApp({ sameDatabaseAs: first, env: { SECRET_KEY: newSecret }, closeAfterTest: true });
  const admin = lost.as(company.admin);
  const { status, body } = await admin.call(push.key);
  expect(status).toBe(200);
  expect(body.publicKey).not.toBe(former.publicKey);
  expect((await admin.call(push.key)).body).toEqual(body);
  expect((await sql`select from push_subscriptions`.execute(lost.db.system)).rows).toEqual([]);

  const refused = await admin.call(twoFactor.confirm, { body: { code: "123456" } });
  expect([refused.status, refused.body]).toMatchObject([400, { error: "ERR_SECOND_FACTOR_CODE" }]);
});

test("every bytes column is declared as encrypted or listed as not secret", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  const { rows } = await sql<{ name: string }>`select c.relname || '.' || a.attname as name
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.atttypid = 'bytea'::regtype`.execute(
    app.db.system,
  );
  const known = [
    ...sealed.filter(({ isText }) => !isText).map(({ table, column }) => `${table}.${column}`),
    ...openBytes,
  ];
  expect(rows.map(({ name }) => name).sort()).toEqual(known.sort());
});

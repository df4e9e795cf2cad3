import { campaigns, contactLists } from "@prosa/contract";
import type { Campaign } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection } from "#server/testing/factories.ts";

/** Campaigns that are due while rows of a file are still being added to their list. */
let app: TestApp;
const clock = createMovedClock("2026-05-04T15:00:00Z");
beforeAll(async () => {
  app = await createTestApp({ clock });
});
afterAll(() => app.close());

/** A campaign that is due, of a list whose import runs until `end`. */
async function aCampaignOfAListBeingImported() {
  const company = await aCompany(app);
  const { id: whatsappId } = await aConnection(company);
  const admin = app.as(company.admin);
  const { id: contactListId } = (await admin.call(contactLists.create, { body: { name: "Clientes" } })).body;
  await company.inside(({ db }) =>
    sql`insert into contact_list_imports (company_id, contact_list_id, file_name, state, created_at)
      values (${company.id}, ${contactListId}, 'a.csv', 'running', ${clock.now()})`.execute(db),
  );
  const addItem = (number: string) =>
    company.inside(({ db }) =>
      sql`insert into contact_list_items (company_id, contact_list_id, name, number, match_number, is_whatsapp_valid)
        values (${company.id}, ${contactListId}, 'Ana', ${number}, ${number}, true)`.execute(db),
    );
  await addItem("5531900000001");
  const scheduledAt = clock.now().toISOString();
  const body = { name: "Natal", message1: "Oi", whatsappId, contactListId, scheduledAt };
  const params = { id: (await admin.call(campaigns.create, { body })).body.id };
  await app.settle();
  return {
    addItem,
    update: (body: object) => admin.put<Campaign>(`/campaigns/${params.id}`, body),
    read: async () => (await admin.call(campaigns.get, { params })).body,
    end: (state: "finished" | "failed" | "cancelled") =>
      company.inside(({ db }) =>
        sql`update contact_list_imports set state = ${state} where company_id = ${company.id}`.execute(db),
      ),
    pass: async (time: { readonly seconds?: number; readonly minutes?: number }) => {
      clock.advance(time);
      await app.settle();
    },
  };
}

test("a campaign whose list is being imported begins when all of it is there, and says that it waits (K-02, K-04)", async () => {
  const { addItem, read, end, pass } = await aCampaignOfAListBeingImported();
  const waits = { status: "PROGRAMADA", counts: { total: 0 }, lines: [{ pauseReason: "import" }] };
  expect(await read()).toMatchObject(waits);
  await pass({ minutes: 5 });
  expect(await read()).toMatchObject(waits);

  await addItem("5531900000002");
  await end("finished");
  await pass({ seconds: 16 });
  expect(await read()).toMatchObject({ status: "EM_ANDAMENTO", counts: { total: 2 } });
  expect((await read()).lines[0]?.pauseReason).not.toBe("import");
});

test("an import that hangs holds its campaigns up for half an hour at most (K-02, K-04)", async () => {
  const { read, pass } = await aCampaignOfAListBeingImported();
  await pass({ minutes: 29 });
  expect(await read()).toMatchObject({ status: "PROGRAMADA" });
  await pass({ minutes: 2 });
  expect(await read()).toMatchObject({ status: "EM_ANDAMENTO", counts: { total: 1 } });
});

test.each(["cancelled", "failed"] as const)(
  "a campaign whose list's import is %s while it waits is sent to nobody, until a person starts it (K-02, K-04)",
  async (state) => {
    const { read, end, update, pass } = await aCampaignOfAListBeingImported();
    await end(state);
    await pass({ seconds: 16 });
    const inactive = { status: "INATIVA", scheduledAt: null, lines: [{ pauseReason: null }], counts: { total: 0 } };
    expect(await read()).toMatchObject(inactive);

    await update({ scheduledAt: clock.now().toISOString() });
    await app.settle();
    expect(await read()).toMatchObject({ status: "EM_ANDAMENTO", counts: { total: 1 } });
  },
);

test("while it waits for an import, its time can be taken back, and its texts changed (K-02, K-03)", async () => {
  const { read, end, update, pass } = await aCampaignOfAListBeingImported();
  expect((await update({ scheduledAt: null })).body).toMatchObject({
    status: "INATIVA",
    lines: [{ pauseReason: null }],
  });
  await pass({ minutes: 40 });
  expect(await read()).toMatchObject({ status: "INATIVA", counts: { total: 0 } });

  await update({ scheduledAt: clock.now().toISOString() });
  await app.settle();
  expect(await read()).toMatchObject({ status: "PROGRAMADA", lines: [{ pauseReason: "import" }] });
  await update({ message1: "Olá" });
  await end("cancelled");
  await pass({ seconds: 16 });
  expect(await read()).toMatchObject({ status: "INATIVA", message1: "Olá", counts: { total: 0 } });
});

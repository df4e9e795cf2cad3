import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { countStatements } from "#server/platform/db/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { arrangeCampaign } from "#server/testing/campaign-storm/arrange-campaign.ts";
import { aCompany, aContact } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";

/** Passes of a campaign over lines that no process runs: what they store stays queued. */
let app: TestApp;
const clock = createMovedClock("2026-05-04T15:00:00Z");
beforeAll(async () => {
  app = await createTestApp({ clock });
});
afterAll(() => app.close());

const pace = { messageInterval: 20, longerIntervalAfter: 0, greaterInterval: 0 };

async function aCampaign(contacts: number, lines: number): Promise<TestCompany & { readonly campaignId: number }> {
  const company = await aCompany(app);
  const actor = { kind: "system", companyId: company.id, reason: "test" } as const;
  const { campaignId } = await app.db.inCompany({ actor, companyId: company.id, clock, log: app.services.log }, (ctx) =>
    arrangeCampaign(ctx, { contacts, lines, pace }),
  );
  return { ...company, campaignId };
}

const statesOf = ({ inside, campaignId }: Awaited<ReturnType<typeof aCampaign>>) =>
  inside(async ({ db }) => {
    const { rows } = await sql<{ state: string; reason: string | null; line: number | null }>`
      select state, reason, connection_id as line from campaign_recipients where campaign_id = ${campaignId}
      order by position`.execute(db);
    return rows;
  });

/** Longer than a message without a line holds up the next one. */
async function nextRound(): Promise<number> {
  clock.advance({ minutes: 6 });
  const { statements } = await countStatements(() => app.settle());
  return statements.filter((text) => !text.includes("from epoch")).length;
}

test("a pass over fifteen lines is as many statements as one over three, and each line writes to one contact (K-05)", async () => {
  const few = await aCampaign(9, 3);
  await app.settle();
  const ofThree = await nextRound();
  expect((await statesOf(few)).filter(({ state }) => state === "queued")).toHaveLength(6);
  await few.inside(({ db }) => sql`update campaigns set status = 'CANCELADA' where id = ${few.campaignId}`.execute(db));
  await nextRound();

  const many = await aCampaign(39, 15);
  await app.settle();
  const ofFifteen = await nextRound();
  const lines = (await statesOf(many)).flatMap(({ state, line }) => (state === "queued" ? [line] : []));
  expect([lines.length, new Set(lines).size]).toEqual([30, 15]);
  expect(ofFifteen).toBeLessThanOrEqual(ofThree + 3);
});

test("one person twice in a pass, one who opted out and one who cannot be written to: each its result, the others theirs (K-05, P-02)", async () => {
  const company = await aCampaign(6, 4);
  const { id, inside, campaignId } = company;
  const person = await aContact(company);
  const connect = (status: string) => inside(({ db }) => sql`update connections set status = ${status}`.execute(db));
  await connect("DISCONNECTED");
  await inside(async ({ db }) => {
    // The first two are one person by their LIDs; the third wants nothing.
    await sql`insert into contact_identifiers (company_id, connection_id, kind, value, contact_id)
      select ${id}, c.id, 'lid', v.lid, ${person.id} from connections c, (values ('77001'), ('77002')) as v(lid)`.execute(
      db,
    );
    await sql`update contact_list_items set lid = '7700' || right(number, 1) where right(number, 1) in ('1', '2')`.execute(
      db,
    );
    await sql`insert into opt_outs (company_id, number_key, at, source)
      select ${id}, phone_key(number), now(), 'person' from contact_list_items where right(number, 1) = '3'`.execute(
      db,
    );
  });
  await app.settle();
  expect(new Set((await statesOf(company)).map(({ state }) => state))).toEqual(new Set(["waiting"]));

  // Somebody took the key of the message to the fourth for another conversation.
  const stranger = await aContact(company);
  await inside(({ db }) =>
    sql`with line as (select min(id) as id from connections),
        t as (insert into tickets (company_id, connection_id, contact_id, status)
          select ${id}, line.id, ${stranger.id}, 'closed' from line returning id, connection_id)
      insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, client_id, from_me, sent_at, body)
      select ${id}, t.id, ${stranger.id}, t.connection_id, 'W1', 'campaign-' || r.campaign_id || '-' || r.id, true, now(), 'x'
      from t, campaign_recipients r where r.campaign_id = ${campaignId} and r.position = 4`.execute(db),
  );
  await connect("CONNECTED");
  await nextRound();
  const states = await statesOf(company);
  expect(states.map(({ state, reason }) => reason ?? state)).toEqual([
    "queued",
    "duplicate",
    "optedOut",
    "ERR_CREATING_MESSAGE",
    "queued",
    "queued",
  ]);
  const lines = states.flatMap(({ state, line }) => (state === "queued" ? [line] : []));
  expect(new Set(lines).size).toBe(3);
});

test("who is refused or has to wait leaves no empty conversation among the closed ones (K-05, P-01)", async () => {
  const company = await aCampaign(3, 1);
  const { id, inside } = company;
  const states = async () => (await statesOf(company)).map(({ state }) => state);
  await inside(async ({ db }) => {
    await sql`insert into opt_outs (company_id, number_key, at, source)
      select ${id}, phone_key(number), now(), 'person' from contact_list_items where right(number, 1) = '1'`.execute(
      db,
    );
    await sql`update line_rules set daily_cap = 1`.execute(db);
  });
  const said = () =>
    inside(async ({ db }) => {
      const { rows } = await sql<{ number: string; messages: number }>`
        select right(c.number, 1) as number, (select count(*)::int from messages m where m.ticket_id = t.id) as messages
        from tickets t join contacts c on c.id = t.contact_id order by c.number`.execute(db);
      return rows.map(({ number, messages }) => [number, messages]);
    });
  await app.settle();
  await nextRound();
  expect(await states()).toEqual(["optedOut", "queued", "waiting"]);
  expect(await said()).toEqual([["2", 1]]);

  // It goes on as if it had not been held.
  await inside(({ db }) => sql`update line_rules set daily_cap = 2`.execute(db));
  clock.advance({ hours: 24 });
  await nextRound();
  expect(await states()).toEqual(["optedOut", "queued", "queued"]);
  expect(await said()).toEqual([
    ["2", 1],
    ["3", 1],
  ]);
});

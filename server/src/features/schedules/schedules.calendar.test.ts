import { scheduledMessages } from "@prosa/contract";
import type { Schedule } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { feature as schedules } from "#server/features/schedules/feature.ts";
import { countStatements } from "#server/platform/db/index.ts";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { planAsRequest } from "#server/testing/generic-plan.ts";

let desk: Desk;
let admin: Person;
let author: Person;

/** A company that schedules much: 6,000 messages over 1,000 days, one of six by the author. */
beforeAll(async () => {
  desk = await openDesk([schedules]);
  admin = await desk.person("admin");
  author = await desk.person("user");
  const { companyId } = desk;
  await desk.rows(`insert into contacts (company_id, name, number)
    select ${companyId}, 'c' || n, '55119' || (10000000 + n) from generate_series(1, 100) n`);
  await desk.rows(`insert into schedules (company_id, contact_id, user_id, body, send_at, client_id)
    select ${companyId}, (select min(id) from contacts where company_id = ${companyId}) + n % 100,
      case when n % 6 = 0 then ${author.id} else ${admin.id} end, 'Bom dia', timestamptz '2024-01-01T15:00:00Z' + (n / 6) * interval '1 day',
      'schedule-' || n from generate_series(1, 6000) n`);
}, 60_000);
afterAll(() => desk.app.close());

const list = async (who: Person, query: string) =>
  (await who.get<{ schedules: Schedule[]; count: number; hasMore: boolean }>(`/schedules?${query}`)).body;

test("a month is asked for as days: each sees their own, admins all, in the order of time (O-03)", async () => {
  const june = "dateStart=2025-06-01&dateEnd=2025-06-30";
  const all = await list(admin, june);
  expect([all.count, all.schedules.length, all.hasMore]).toEqual([180, 180, false]);
  const times = all.schedules.map(({ sendAt }) => sendAt);
  expect(times).toEqual(times.toSorted());
  expect([times[0]?.slice(0, 10), times.at(-1)?.slice(0, 10)]).toEqual(["2025-06-01", "2025-06-30"]);
  expect(await list(author, june)).toMatchObject({ count: 30, hasMore: false });
  const other = await (await desk.otherCompany()).person("admin");
  expect((await list(other, june)).count).toBe(0);
});

test("a long range comes in pages of 500, and the list as specified stays in pages of 20 (O-03)", async () => {
  const year = "dateStart=2025-01-01&dateEnd=2025-12-31";
  const sizes = await Promise.all(
    [1, 2, 5].map(async (page) => {
      const { schedules: found, hasMore } = await list(admin, `${year}&pageNumber=${page}`);
      return [found.length, hasMore];
    }),
  );
  expect(sizes).toEqual([
    [500, true],
    [500, true],
    [190, false],
  ]);
  const page = await list(admin, "searchParam=&pageNumber=1");
  expect([page.schedules.length, page.count, page.hasMore]).toEqual([20, 6000, true]);
  // empty days are none: forms send them so
  expect(await list(admin, "dateStart=&dateEnd=")).toMatchObject({ count: 6000, hasMore: true });
});

test("days are the company's, not UTC's: what goes late in the evening belongs to that evening (O-03)", async () => {
  const late = "2031-03-11T02:30:00Z"; // 23:30 of the 10th in São Paulo
  const contactId = await desk.contact();
  const { body } = await admin.call(scheduledMessages.create, { body: { body: "Boa noite", contactId, sendAt: late } });
  const ids = async (day: string) =>
    (await list(admin, `dateStart=${day}&dateEnd=${day}`)).schedules.map(({ id }) => id);
  expect([await ids("2031-03-10"), await ids("2031-03-11")]).toEqual([[body.id], []]);
});

test("a month of thousands is read by indexes, in as many statements as a month of none (O-03)", async () => {
  const ask = (who: Person, query: string) => countStatements(() => list(who, query));
  const full = "dateStart=2025-06-01&dateEnd=2025-06-30";
  const none = "dateStart=2045-06-01&dateEnd=2045-06-30";
  await list(admin, full);
  const [many, few, own] = [await ask(admin, full), await ask(admin, none), await ask(author, full)];
  expect(many.statements.length).toBe(few.statements.length);

  const asked = [...many.statements, ...own.statements].filter((text) => text.includes('"schedules"'));
  expect(asked.length).toBe(4);
  const { url } = desk.app.database;
  const lines = await planAsRequest({ url, companyId: desk.companyId }, async (plan) => {
    const found: string[] = [];
    for (const statement of asked) {
      found.push(...(await plan(statement)));
    }
    return found;
  });
  expect(lines.filter((line) => /Seq Scan on (schedules|messages|contacts)\b/.test(line))).toEqual([]);
  expect(lines.filter((line) => line.includes("schedules_of_user"))).not.toEqual([]);
  expect(lines.filter((line) => line.includes("schedules_by_time"))).not.toEqual([]);
});

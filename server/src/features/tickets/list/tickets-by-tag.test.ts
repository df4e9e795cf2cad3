import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { waitUntil } from "#server/testing/wait-until.ts";
import { feature } from "../feature.ts";

let desk: Desk;
let admin: Person;
let agent: Person;
let queues: number[];
let tags: number[];
beforeAll(async () => {
  desk = await openDesk([feature]);
  admin = await desk.person("admin");
  queues = [await desk.queue(), await desk.queue(), await desk.queue()];
  agent = await desk.person("user", { queueIds: queues.slice(0, 2) });
  const made = await desk.rows<{ id: number }>(
    `insert into tags (company_id, name, color) select ${desk.companyId}, 'tag ' || n, '#fff' from generate_series(1, 3) n returning id`,
  );
  tags = made.map(({ id }) => id);
});
afterAll(() => desk.app.close());

/** Rows of ticket_tags that do not say what their tickets say. */
const strays = () =>
  desk.rows(`
    select x.*, t.status, t.queue_id, t.user_id, t.last_message_at, t.waiting_since
    from ticket_tags x join tickets t on t.id = x.ticket_id
    where (x.status, x.queue_id, x.user_id) is distinct from (t.status, t.queue_id, t.user_id)
      or x.last_hour is distinct from floor(extract(epoch from t.last_message_at) / 3600)
      or x.wait_rank is distinct from coalesce(floor(extract(epoch from t.waiting_since) / 3600), 2000000000 - x.last_hour)`);

/** The list by tag as one reads it in the specification, without its indexes. */
async function expected(person: Person, status: string, wanted: readonly number[], order: string): Promise<number[]> {
  const seen =
    person === admin ? "true" : `(queue_id = any('{${queues.slice(0, 2).join()}}') or user_id = ${person.id})`;
  const rows = await desk.rows<{ id: number }>(`
    select id from tickets t
    where status = '${status}' and ${person !== admin && status === "open" ? `user_id = ${person.id}` : seen}
      and exists (select from ticket_tags x where x.ticket_id = t.id and x.tag_id = any('{${wanted.join()}}'))
    order by ${order === "waiting" ? "waiting_since," : ""} last_message_at desc, id desc`);
  return rows.map(({ id }) => id);
}

test("lists by tag hold what their tickets say, after any writes (T-05, T-20, Z-01)", async () => {
  const { companyId } = desk;
  const tickets: number[] = [];
  for (let n = 0; n < 60; n += 1) {
    tickets.push((await desk.ticket()).id);
  }
  // A fixed seed: what fails once fails again.
  let state = 20_261_124;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const one = <T>(of: readonly T[]) => of[random(of.length)]!;
  const some = () =>
    `t.company_id = ${companyId} and t.id = any('{${Array.from({ length: 1 + random(9) }, () => one(tickets)).join()}}')`;
  const hours = () => `now() - interval '${random(300)} hours' - interval '${random(3_000)} seconds'`;
  // As every verb and the release before write: plain statements.
  const writes = [
    () => `update tickets t set status = 'open', user_id = ${one([admin.id, agent.id])} where ${some()}`,
    () =>
      `update tickets t set status = '${one(["pending", "closed"])}', user_id = ${one(["null", agent.id])} where ${some()}`,
    () => `update tickets t set queue_id = ${one([...queues, "null"])} where ${some()}`,
    () => `update tickets t set last_message_at = ${hours()} where ${some()}`,
    () => `update tickets t set waiting_since = ${one(["null", hours()])} where ${some()}`,
    () =>
      `update tickets t set last_message_at = last_message_at + interval '1 minute', waiting_since = null where ${some()}`,
    () => `insert into ticket_tags (company_id, ticket_id, tag_id)
           select ${companyId}, t.id, g from tickets t, unnest('{${tags.join()}}'::int[]) g
           where ${some()} and g <> ${one(tags)} on conflict do nothing`,
    () => `insert into ticket_tags (company_id, ticket_id, tag_id)
           select ${companyId}, t.id, ${one(tags)} from tickets t where t.company_id = ${companyId} on conflict do nothing`,
    () => `delete from ticket_tags x using tickets t where x.ticket_id = t.id and ${some()}`,
  ];
  for (let round = 0; round < 12; round += 1) {
    for (let n = 0; n < 12; n += 1) {
      await desk.rows(one(writes)());
    }
    expect(await strays()).toEqual([]);
    const wanted = tags.slice(0, 1 + random(3));
    for (const person of [admin, agent]) {
      for (const status of ["open", "pending", "closed"]) {
        for (const order of ["newest", "waiting"]) {
          const query = `status=${status}&showAll=true&tags=[${wanted.join()}]&order=${order}`;
          const all = await expected(person, status, wanted, order);
          const { body } = await person.get<{ count: number }>(`/tickets?${query}`);
          expect([await person.list(query), await person.list(`${query}&pageNumber=2`), body.count], query).toEqual([
            all.slice(0, 40),
            all.slice(40, 80),
            all.length,
          ]);
        }
      }
    }
  }
  await desk.rows(`delete from queues where id = ${queues[2]}`);
  await desk.rows(`delete from tags where id = ${tags[2]}`);
  expect(await strays()).toEqual([]);
});

test.each(["tag", "close"])(
  "of a tag and a change at the same moment the second waits, here: %s first (T-20)",
  async (first) => {
    const { id } = await desk.ticket({ status: "pending" });
    const tag = sql`insert into ticket_tags (company_id, ticket_id, tag_id) values (${desk.companyId}, ${id}, ${tags[0]})`;
    const close = sql`update tickets set status = 'closed' where id = ${id}`;
    const [one, other] = first === "tag" ? [tag, close] : [close, tag];
    const waiting = sql<object>`select from pg_locks where not granted`;

    let second: Promise<unknown> | undefined;
    await desk.within(async ({ db }) => {
      await one.execute(db);
      second = desk.within((ctx) => other.execute(ctx.db));
      await waitUntil(async () => (await waiting.execute(db)).rows.length > 0);
    });
    await second;
    expect(await strays()).toEqual([]);
  },
);

test("a message within the hour leaves the tags of its ticket alone (T-20)", async () => {
  const { id } = await desk.ticket({ status: "pending", lastMessageAt: new Date("2026-03-01T10:05:00Z") });
  await desk.rows(
    `insert into ticket_tags (company_id, ticket_id, tag_id) values (${desk.companyId}, ${id}, ${tags[0]})`,
  );
  const writer = async () =>
    (await desk.rows<{ xmin: string }>(`select xmin from ticket_tags where ticket_id = ${id}`))[0]!.xmin;
  const before = await writer();
  await desk.rows(`update tickets set last_message_at = '2026-03-01T10:55:00Z', unread_messages = 3 where id = ${id}`);
  expect(await writer()).toBe(before);
  await desk.rows(`update tickets set last_message_at = '2026-03-01T11:05:00Z' where id = ${id}`);
  expect(await writer()).not.toBe(before);
});

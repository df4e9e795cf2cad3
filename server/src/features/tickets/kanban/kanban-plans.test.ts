import { kanban, openLaneId, pageSize, tickets } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { feature as tagsFeature } from "#server/features/tags/feature.ts";
import { countStatements } from "#server/platform/db/index.ts";
import { asOwner } from "#server/testing/as-owner.ts";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { planAsRequest } from "#server/testing/generic-plan.ts";
import { feature } from "../feature.ts";

/** A board of 2,000 cards in four lanes, whose tags 18,000 closed tickets carry as well. */
let desk: Desk;
let laneIds: number[];
let people: Readonly<Record<"admin" | "supervisor" | "user", Person>>;
beforeAll(async () => {
  desk = await openDesk([feature, tagsFeature]);
  const { companyId, connectionId } = desk;
  const queueIds = [await desk.queue(), await desk.queue()];
  const rights = { queueIds: [queueIds[0]!], allTicket: true };
  people = {
    admin: await desk.person("admin"),
    supervisor: await desk.person("supervisor", rights),
    user: await desk.person("user", rights),
  };
  const lanes = await desk.rows<{ id: number }>(
    `insert into tags (company_id, name, color, kanban) select ${companyId}, 'lane ' || n, '#112233', 1 from generate_series(1, 4) n returning id`,
  );
  laneIds = lanes.map(({ id }) => id);
  // In batches, so that no transaction exceeds its time limit on a busy machine.
  for (let from = 1; from < 20_000; from += 2_000) {
    await desk.rows(`
      with c as (insert into contacts (company_id, name, number)
        select ${companyId}, 'c' || n, '55119' || (10000000 + n) from generate_series(${from}, ${from + 1_999}) n returning id),
      t as (insert into tickets (company_id, connection_id, contact_id, status, user_id, queue_id, last_message_at)
        select ${companyId}, ${connectionId}, id, case id % 20 when 0 then 'pending' when 10 then 'open' else 'closed' end,
          case id % 20 when 10 then ${people.user.id} end, (array[${queueIds.join()}, null])[1 + id % 3], now() - id * interval '1 second'
        from c returning id)
      insert into ticket_tags select ${companyId}, id, (array[${laneIds.join()}])[1 + id / 10 % 4] from t where id % 7 > 0`);
  }
  await asOwner(desk.app.database.url, "analyze tickets, ticket_tags, contacts, tags");
});
afterAll(() => desk.app.close());

test.each(["admin", "supervisor", "user"] as const)(
  "the board of %s, its lanes and counts read its own cards only, by index (O-02)",
  async (profile) => {
    const person = people[profile];
    const asked: string[] = [];
    const ask = async (query: string, path = "/ticket/kanban") => {
      const { statements } = await countStatements(async () => {
        expect((await person.get(`${path}?${query}`)).status).toBe(200);
      });
      asked.push(...statements.filter((text) => /\bticket_tags\b/.test(text)));
    };
    for (const showAll of ["true", "false"]) {
      for (const query of ["", `laneId=${laneIds[0]}`, "laneId=0", `laneId=${laneIds[1]}&searchParam=c12`]) {
        await ask(`showAll=${showAll}&${query}`);
      }
      await ask(`showAll=${showAll}`, "/ticket/kanban/counts");
      await ask(`showAll=${showAll}&searchParam=c12`, "/ticket/kanban/counts");
    }
    expect(asked.length).toBeGreaterThan(6);

    const { app, companyId } = desk;
    const lines = await planAsRequest({ url: app.database.url, companyId }, async (plan) => {
      const plans: string[] = [];
      for (const text of new Set(asked)) {
        plans.push(...(await plan(text)));
      }
      return plans;
    });
    expect(lines.filter((line) => /Seq Scan on (tickets|contacts|ticket_tags)\b/.test(line))).toEqual([]);
    // Of a tag's tickets, closed ones included, only the first are read.
    const byTag = lines.flatMap((line, index) => (/using ticket_tags_tag/.test(line) ? [lines[index - 1]] : []));
    expect(byTag.filter((above) => !/Limit|Result|InitPlan/.test(above ?? ""))).toEqual([]);
    // A bitmap of the ranges that know the status reads what is counted; one of the tag or the ticket alone, closed ones too.
    expect(lines.filter((line) => /Bitmap Index Scan on ticket_tags_(?!list|of_)/.test(line))).toEqual([]);
  },
);

test("a lane whose tag is on thousands of tickets is paged from the lists, exactly (O-02)", async () => {
  const [laneId] = laneIds;
  const rows = await desk.rows<{ id: number }>(`
    select t.id from tickets t join ticket_tags tt on tt.ticket_id = t.id
    where tt.tag_id = ${laneId} and t.status <> 'closed' order by t.last_message_at desc, t.id desc`);
  expect(rows.length).toBeGreaterThan(400);
  for (const pageNumber of [1, 2, 9]) {
    const { body } = await people.admin.call(kanban.cards, { query: { laneId, pageNumber } });
    const from = (pageNumber - 1) * pageSize.kanban;
    expect(body.tickets.map(({ id }) => id)).toEqual(rows.slice(from, from + pageSize.kanban).map(({ id }) => id));
    expect([body.count, body.hasMore]).toEqual([rows.length, true]);
  }
});

test("a page of a lane costs three statements, counts one, and a repeated call costs one or none (O-02)", async () => {
  const { admin } = people;
  const statementsOf = async (url: string) => {
    const { statements } = await countStatements(async () => {
      expect((await admin.get(url)).status).toBe(200);
    });
    return statements.filter((text) => /^\s*(select|with)\b/i.test(text) && /\btickets?\b/.test(text)).length;
  };
  const lane = `/ticket/kanban?laneId=${laneIds[0]}&queueIds=[0]`;
  const counts = "/ticket/kanban/counts?queueIds=[0]";
  expect(await statementsOf(lane)).toBe(3);
  expect(await statementsOf(lane)).toBe(1);
  // the counts of all lanes are those that the lane's page has read
  expect(await statementsOf(counts)).toBe(0);
  await admin.delete(`/ticket-tags/${(await admin.get<{ tickets: { id: number }[] }>(lane)).body.tickets[0]!.id}`);
  await desk.app.settle();
  expect(await statementsOf(counts)).toBe(1);
});

test("a card that moves between two lanes leaves the count of the open one as it is, and labels the counts of lists (O-02, T-04)", async () => {
  const { admin } = people;
  const [from, to] = laneIds as [number, number];
  const [card] = (await admin.call(kanban.cards, { query: { laneId: from } })).body.tickets;
  const counted = async () => {
    const { result, statements } = await countStatements(async () => {
      const { lanes } = (await admin.call(kanban.counts)).body;
      const { body } = await admin.get<Record<string, number>>("/tickets/counts?showAll=true");
      return { lanes: new Map(lanes.map(({ laneId, count }) => [laneId, count])), lists: body };
    });
    const isOf = (pattern: RegExp) => statements.some((text) => pattern.test(text));
    return {
      ...result,
      asked: { lanes: isOf(/lane \(id\)/), open: isOf(/not exists/), list: isOf(/^\s*with {2}counted/) },
    };
  };
  await counted();

  await admin.call(kanban.moveToLane, { params: { ticketId: card!.id, tagId: to } });
  const before = await counted();
  expect(before.asked).toEqual({ lanes: true, open: false, list: false });

  await admin.call(kanban.moveToOpenLane, { params: { ticketId: card!.id } });
  const after = await counted();
  expect(after.asked).toEqual({ lanes: true, open: true, list: false });
  expect([after.lanes.get(openLaneId), after.lanes.get(to)]).toEqual([
    before.lanes.get(openLaneId)! + 1,
    before.lanes.get(to)! - 1,
  ]);
  expect(after.lists).toEqual(before.lists);

  const { status } = await admin.call(tickets.update, { params: { id: card!.id }, body: { status: "open" } });
  expect(status).toBe(200);
  expect((await counted()).asked).toEqual({ lanes: true, open: true, list: true });
});

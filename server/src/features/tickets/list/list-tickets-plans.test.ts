import { ticketStatuses } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { UserActor } from "#server/platform/ctx.ts";
import { countStatements } from "#server/platform/db/index.ts";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk } from "#server/testing/desk.ts";
import { planAsRequest } from "#server/testing/generic-plan.ts";
import { feature } from "../feature.ts";
import { scopeOf } from "./list-scope.ts";
import { listQuery } from "./list-tickets.queries.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk([feature]);
  const { companyId, connectionId } = desk;
  // In batches, so that no transaction exceeds its time limit on a busy machine.
  for (let from = 1; from < 20_000; from += 2_000) {
    await desk.rows(`
      with c as (insert into contacts (company_id, name, number)
        select ${companyId}, 'c' || n, '55119' || (10000000 + n) from generate_series(${from}, ${from + 1_999}) n returning id)
      insert into tickets (company_id, connection_id, contact_id, status, last_message_at)
      select ${companyId}, ${connectionId}, id, (array['pending', 'closed'])[1 + id % 2], now() - id * interval '1 second' from c`);
  }
});
afterAll(() => desk.app.close());

const actor = (profile: UserActor["profile"]): UserActor => ({
  kind: "user",
  userId: 1,
  companyId: desk.companyId,
  name: "",
  profile,
  isSuper: false,
  allTicket: true,
  queueIds: [1, 2, 3],
  sessionId: "",
});

const everything = {
  pageNumber: 1,
  searchParam: "",
  status: "" as const,
  showAll: false,
  tags: [],
  users: [],
  queueIds: [],
  date: "" as const,
  updatedAt: "" as const,
  withUnreadMessages: false,
  order: "newest" as const,
};

test.each([
  ["admin", { status: "pending" }],
  ["admin", { status: "open", showAll: true }],
  ["admin", { status: "closed", pageNumber: 9 }],
  ["admin", {}],
  ["admin", { users: [1, 2] }],
  ["admin", { searchParam: "maria" }],
  ["user", { status: "open" }],
  ["user", { status: "pending" }],
  ["user", {}],
  ["user", { status: "pending", order: "waiting" }],
  ["admin", { status: "pending", order: "waiting" }],
  ["admin", { order: "waiting" }],
  ["user", { searchParam: "maria" }],
  ["supervisor", { status: "open", showAll: true }],
] as const)("the list of %s, %j, walks indexes (T-05)", async (profile, wish) => {
  const filter = { ...everything, ...wish, users: "users" in wish ? [...wish.users] : [] };
  const person = actor(profile);
  const statuses = filter.status === "" ? ticketStatuses : [filter.status];
  const { statement } = listQuery({ actor: person, views: [{ statuses, scope: scopeOf(person, filter) }], filter });
  expect(await walks([statement.text])).toEqual([]);
});

test.each(["admin", "user"] as const)(
  "the list by waiting time of %s needs no sort of the whole list (Z-01)",
  async (profile) => {
    const person = actor(profile);
    const filter = { ...everything, status: "pending" as const, order: "waiting" as const };
    const { statement } = listQuery({
      actor: person,
      views: [{ statuses: ["pending"], scope: scopeOf(person, filter) }],
      filter,
    });
    const lines = await planAsRequest({ url: desk.app.database.url, companyId: desk.companyId }, (plan) =>
      plan(statement.text),
    );
    expect(lines.join("\n")).toContain("tickets_waiting");
  },
);

test("a bulk of a hundred tickets, and its undo, use indexes (issue 3)", async () => {
  const admin = await desk.person("admin");
  const rows = await desk.rows<{ id: number }>("select id from tickets where status = 'pending' order by id limit 100");
  const ticketIds = rows.map(({ id }) => id);
  const { statements } = await countStatements(async () => {
    const { body } = await admin.post<{ bulkId: string }>("/tickets/bulk", { ticketIds, act: { verb: "accept" } });
    expect((await admin.post(`/tickets/bulk/${body.bulkId}/undo`)).status).toBe(200);
  });
  const asked = statements.filter((text) => /\b(tickets|episodes)\b/.test(text));
  expect(asked.length).toBeGreaterThan(4);
  expect(await walks(asked)).toEqual([]);
});

/** The lines of the plans that scan a whole table. */
async function walks(statements: readonly string[]): Promise<string[]> {
  const { app, companyId } = desk;
  return planAsRequest({ url: app.database.url, companyId }, async (plan) => {
    const found: string[] = [];
    for (const statement of statements) {
      const lines = await plan(statement);
      expect(lines.length).toBeGreaterThan(0);
      found.push(...lines.filter((line) => /Seq Scan on (tickets|contacts|episodes)\b/.test(line)));
    }
    return found;
  });
}

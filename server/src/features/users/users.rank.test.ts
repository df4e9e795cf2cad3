import { users } from "@prosa/contract";
import type { UserChanges } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aQueue, aUser } from "#server/testing/factories.ts";
import type { TestCompany, TestUser } from "#server/testing/factories.ts";

/** Every role against every rank, by every verb: what must happen is this table alone. */

const ranks = ["agent", "supervisor", "admin", "operator"] as const;
type Rank = (typeof ranks)[number];

const changes = {
  rename: { name: "Renamed" },
  "change the e-mail of": { email: "taken-over@example.com" },
  "set the password of": { password: "taken over" },
  "change the profile of": { profile: "supervisor" },
  "let see all tickets": { allTicket: "enabled" },
  "set the connection of": { whatsappId: 0 },
  "set the queues of": { queueIds: [0] },
} as const satisfies Record<string, UserChanges>;
type Verb = keyof typeof changes | "remove";
const verbs = [...(Object.keys(changes) as (keyof typeof changes)[]), "remove"] as const;

let app: TestApp;
let company: TestCompany;
let queueId: number;
let connectionId: number;
beforeAll(async () => {
  app = await createTestApp();
  company = await aCompany(app, { isOperator: true, limit: 10_000 });
  queueId = (await aQueue(company)).id;
  connectionId = (await aConnection(company)).id;
});
afterAll(() => app.close());

async function somebody(rank: Rank): Promise<TestUser> {
  const profile = ({ agent: "user", supervisor: "supervisor", admin: "admin", operator: "admin" } as const)[rank];
  const user = await aUser(company, { profile });
  if (rank === "operator") {
    await sql`update users set is_super = true where id = ${user.userId}`.execute(app.db.system);
    app.services.sessions.forgetUser(user.userId);
  }
  return user;
}

function isAllowed(actor: Rank, target: Rank): boolean {
  return actor === "operator" || (actor === "admin" && target !== "operator");
}

async function rowOf({ userId }: TestUser) {
  const { rows } = await sql`select u.*, array(select queue_id from user_queues q where q.user_id = u.id) as queues
    from users u where id = ${userId}`.execute(app.db.system);
  return rows[0];
}

function act(actor: TestUser, verb: Verb, { userId: id }: TestUser) {
  const caller = app.as(actor);
  if (verb === "remove") {
    return caller.call(users.remove, { params: { id } });
  }
  const body: UserChanges = {
    ...changes[verb],
    ...(verb === "change the e-mail of" && { email: `taken-over-${id}@example.com` }),
    ...(verb === "change the profile of" && { profile: "supervisor" }),
    ...(verb === "set the connection of" && { whatsappId: connectionId }),
    ...(verb === "set the queues of" && { queueIds: [queueId] }),
  };
  return caller.call(users.update, { params: { id }, body });
}

describe.each(ranks)("%s", (actorRank) => {
  test.each(ranks)("and a colleague of rank %s: only a permitted actor changes anything (V-04)", async (targetRank) => {
    const actor = await somebody(actorRank);
    for (const verb of verbs) {
      const target = await somebody(targetRank);
      const before = await rowOf(target);
      const { status } = await act(actor, verb, target);
      const wanted = isAllowed(actorRank, targetRank) ? 200 : 403;
      expect([verb, status]).toEqual([verb, wanted]);
      if (wanted === 403) {
        expect([verb, await rowOf(target)]).toEqual([verb, before]);
      }
    }
  });
});

test("of operators who remove each other concurrently one is left (V-04)", async () => {
  for (let round = 0; round < 5; round += 1) {
    const [one, other] = [await somebody("operator"), await somebody("operator")];
    const answers = await Promise.all([act(one, "remove", other), act(other, "remove", one)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  }
});

test.each(["remove", "change the profile of"] as const)(
  "of admins who %s each other at the same moment one is left: a company keeps an admin (V-04)",
  async (verb) => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await somebody("admin"), await somebody("admin")];
      const answers = await Promise.all([act(one, verb, other), act(other, verb, one)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  },
);

test("an operator whose own row is gone cannot change another one, cached or not (V-04)", async () => {
  const [one, other] = [await somebody("operator"), await somebody("operator")];
  expect((await app.as(other).get("/settings")).status).toBe(200);
  await sql`update users set is_super = false where id = ${other.userId}`.execute(app.db.system);
  expect((await act(other, "remove", one)).status).toBe(403);
  expect((await act(other, "set the password of", one)).status).toBe(403);
});

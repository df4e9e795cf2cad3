import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { expect, test } from "vitest";
import { aDesk } from "#server/testing/desk.ts";
import { up } from "../../../../migrations/0118_conversations_of_blocked_contacts.ts";
import { feature } from "../feature.ts";
import { applyContactBlock } from "./index.ts";

test("what the release before closed by a block waits again after the unblock, and nothing else does (C-06)", async () => {
  const desk = await aDesk([feature]);
  const closed = async (more: { readonly isBlocked: boolean; readonly wasServed: boolean }) => {
    const { id, contactId } = await desk.ticket({ status: "pending" });
    await desk.rows(`update tickets set status = 'closed' where id = ${id}`);
    await desk.rows(`update contacts set is_blocked = ${more.isBlocked} where id = ${contactId}`);
    await desk.rows(`update episodes set finished_at = now(), started_at = ${more.wasServed ? "now()" : "null"}
      where ticket_id = ${id}`);
    return { id, contactId };
  };
  const all = [
    await closed({ isBlocked: true, wasServed: false }),
    await closed({ isBlocked: true, wasServed: true }),
    await closed({ isBlocked: false, wasServed: false }),
  ];
  await desk.rows(`update tickets set bot_state = '{"place": "queues"}' where id = ${all[0]!.id}`);

  const pool = new pg.Pool({ connectionString: desk.app.database.url, max: 1 });
  const owner = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  await owner.transaction().execute(up);
  await owner.destroy();
  expect(await desk.rows("select bot_state as state from tickets order by id")).toEqual([
    { state: { place: "queues", closedByBlock: expect.any(Number) } },
    { state: null },
    { state: null },
  ]);
  for (const { contactId } of all) {
    await desk.within((ctx) => applyContactBlock(ctx, contactId, false));
  }
  expect(await desk.rows("select status from tickets order by id")).toEqual([
    { status: "pending" },
    { status: "closed" },
    { status: "closed" },
  ]);
});

import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { expect, test } from "vitest";
import { aDesk } from "#server/testing/desk.ts";
import { prepare } from "../../../migrations/0043_waiting_since.ts";
import { feature } from "./feature.ts";

type Word = readonly [minutesAgo: number, by: "contact" | "agent" | "bot" | "phone"];

test("the migration tells from the messages of the episode since when each contact waits (Z-01)", async () => {
  const desk = await aDesk([feature]);
  const agent = await desk.person("user");
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();

  const aTicket = async (status: "pending" | "open" | "closed", ...words: readonly Word[]) => {
    const { id, contactId } = await desk.ticket({ status, ...(status === "open" && { user: agent }) });
    await desk.rows(`update episodes set queued_at = '${ago(60)}' where ticket_id = ${id}`);
    for (const [index, [minutes, by]] of words.entries()) {
      const clientId = by === "agent" || by === "bot" ? `'c${id}-${index}'` : "null";
      await desk.rows(`insert into messages
          (company_id, ticket_id, contact_id, connection_id, wa_id, client_id, from_me, is_automatic, body, sent_at)
        values (${desk.companyId}, ${id}, ${contactId}, ${desk.connectionId}, 'w${id}-${index}', ${clientId},
          ${by !== "contact"}, ${by === "bot"}, '', '${ago(minutes)}')`);
    }
    return id;
  };

  const expected = new Map<number, string | null>([
    [await aTicket("pending", [50, "contact"], [49, "bot"], [40, "contact"]), ago(50)],
    [await aTicket("open", [50, "contact"], [45, "agent"], [40, "contact"], [39, "contact"]), ago(40)],
    [await aTicket("open", [50, "contact"], [45, "agent"]), null],
    // Of an earlier episode.
    [await aTicket("pending", [90, "contact"], [30, "contact"]), ago(30)],
    // Came back to the queue after the answer; answered on the phone, nobody waits.
    [await aTicket("pending", [50, "contact"], [45, "agent"]), ago(45)],
    [await aTicket("pending", [50, "contact"], [45, "phone"]), null],
    [await aTicket("pending"), ago(60)],
    [await aTicket("closed", [50, "contact"]), null],
  ]);
  const known = await aTicket("pending", [50, "contact"]);
  await desk.rows(`update tickets set waiting_since = '${ago(5)}' where id = ${known}`);

  const pool = new pg.Pool({ connectionString: desk.app.database.url, max: 1 });
  const owner = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  await sql`drop index tickets_waiting`.execute(owner);
  await prepare(owner);
  await owner.destroy();

  const rows = await desk.rows<{ id: number; waiting_since: Date | null }>("select id, waiting_since from tickets");
  const found = new Map(rows.map(({ id, waiting_since: since }) => [id, since?.toISOString() ?? null]));
  expect(found).toEqual(expected.set(known, ago(5)));
});

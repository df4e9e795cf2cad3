import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { pino } from "pino";
import { contactBook, createIngest } from "../server/src/features/inbound/index.ts";
import { createVault } from "../server/src/platform/auth/index.ts";
import { systemClock } from "../server/src/platform/clock/index.ts";
import { openDatabase } from "../server/src/platform/db/index.ts";
import type { Db } from "../server/src/platform/db/index.ts";
import type { LineEvent } from "../server/src/whatsapp/port.ts";

const people = 200;
const chats = 8;

/**
 * The bot's turns alone, without a line: every message is answered by a menu, from storing it to the queued answer. One
 * by one in eight chats at a time, and in batches of fifty, as after a line was away.
 */
export async function measureBot(url: string): Promise<[what: string, value: number][]> {
  const log = pino({ level: "fatal" });
  const db = openDatabase({ url, log });
  const { companyId, connectionId } = await aBot(db);
  const ingest = createIngest({ vault: createVault(["a secret that only the bench knows of"]), contacts: contactBook });
  const actor = { kind: "line", companyId, connectionId } as const;
  const receive = (events: readonly LineEvent[]) =>
    db.inCompany({ actor, companyId, log, clock: systemClock }, (ctx) => ingest(ctx, connectionId, events));

  try {
    await turns(receive, people * 2, 50, 1);
    const single = await turns(receive, 2_000, 1, chats);
    const burst = await turns(receive, 5_000, 50, 1);
    return [
      ["bot: turns/s one by one", single],
      ["bot: turns/s in bursts", burst],
    ];
  } finally {
    await db.close();
  }
}

/** Everybody's texts differ from their last one, and lead from one menu to the other: nobody is taken for a machine. */
async function turns(
  receive: (events: readonly LineEvent[]) => Promise<void>,
  count: number,
  size: number,
  atOnce: number,
): Promise<number> {
  const began = performance.now();
  let next = 0;
  const work = async () => {
    while (next < count) {
      const from = next;
      next += size;
      await receive(Array.from({ length: size }, (_, n) => message(from + n)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return count / ((performance.now() - began) / 1_000);
}

function message(n: number): LineEvent {
  const phone = `55119${String(70_000_000 + (n % people))}`;
  return {
    type: "message",
    message: {
      waId: randomUUID(),
      chat: { kind: "phone", value: phone },
      person: { phone, lid: null },
      fromMe: false,
      participant: null,
      pushName: `Person ${n % people}`,
      at: new Date(),
      isOffline: false,
      quotedWaId: null,
      content: { kind: "text", text: Math.floor(n / people) % 2 === 0 ? "#" : "1" },
    },
  };
}

/** A line with two queues; the first has options, so that there is always a menu to answer with. */
async function aBot(db: Db): Promise<{ companyId: number; connectionId: number }> {
  const { rows } = await sql<{ companyId: number; connectionId: number }>`
    with company as (insert into companies (name) values (${`bench ${randomUUID()}`}) returning id)
    insert into connections (company_id, name, wanted, greeting_message, max_use_bot_queues)
    select id, 'line', 'down', 'Bem-vindo', 0 from company
    returning company_id as "companyId", id as "connectionId"`.execute(db.system);
  const { companyId, connectionId } = rows[0]!;
  const actor = { kind: "system", companyId, reason: "bench" } as const;
  const scope = { actor, companyId, log: pino({ level: "fatal" }), clock: systemClock };
  await db.inCompany(scope, (ctx) =>
    sql`
      with made as (
        insert into queues (company_id, name, color, greeting_message, schedules)
        select ${companyId}, 'Queue ' || n, '#' || n, 'Hello from queue ' || n, '[]' from generate_series(1, 2) n
        returning id),
      joined as (
        insert into connection_queues (company_id, connection_id, queue_id) select ${companyId}, ${connectionId}, id from made)
      insert into queue_options (company_id, queue_id, title, message, option, position)
      select ${companyId}, (select min(id) from made), 'Option ' || n, 'About ' || n, n::text, n - 1
      from generate_series(1, 5) n`.execute(ctx.db),
  );
  return { companyId, connectionId };
}

import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { pino } from "pino";
import { contactResolver, createIngest } from "../server/src/features/inbound/index.ts";
import { createVault } from "../server/src/platform/auth/index.ts";
import { systemClock } from "../server/src/platform/clock/index.ts";
import { openDatabase } from "../server/src/platform/db/index.ts";
import type { LineEvent } from "../server/src/whatsapp/port.ts";

/** Inbound messages without a line: from a journal batch to the rows and jobs of one transaction. */
export interface Inbound {
  readonly companyId: number;
  readonly connectionId: number;
  receive(events: readonly LineEvent[]): Promise<void>;
  /** For set-up: a system transaction within the company. */
  arrange(statement: ReturnType<typeof sql>): Promise<void>;
  /** Number of answers by the bot whose text is like this. */
  countAnswers(pattern: string): Promise<number>;
  close(): Promise<void>;
}

/** A company with one line that no process opens. */
export async function openInbound(url: string): Promise<Inbound> {
  const log = pino({ level: "fatal" });
  const db = openDatabase({ url, log });
  const { rows } = await sql<{ companyId: number; connectionId: number }>`
    with company as (insert into companies (name) values (${`bench ${randomUUID()}`}) returning id)
    insert into connections (company_id, name, wanted) select id, 'line', 'down' from company
    returning company_id as "companyId", id as "connectionId"`.execute(db.system);
  const { companyId, connectionId } = rows[0]!;
  const ingest = createIngest({
    vault: createVault(["a secret that only the bench knows of"]),
    contacts: contactResolver,
  });
  const scope = { companyId, log, clock: systemClock, retry: true };
  const line = { kind: "line", companyId, connectionId } as const;
  const machine = { kind: "system", companyId, reason: "bench" } as const;
  return {
    companyId,
    connectionId,
    receive: (events) => db.inCompany({ ...scope, actor: line }, (ctx) => ingest(ctx, connectionId, events)),
    arrange: (statement) =>
      db.inCompany({ ...scope, actor: machine }, async (ctx) => void (await statement.execute(ctx.db))),
    async countAnswers(pattern) {
      const answers = sql<{ count: number }>`
        select count(*)::int as count from messages
        where company_id = ${companyId} and from_me and is_automatic and body like ${pattern}`;
      return db.inCompany({ ...scope, actor: machine }, async (ctx) => (await answers.execute(ctx.db)).rows[0]!.count);
    },
    close: () => db.close(),
  };
}

/** A text message from this number, as the driver reports it. */
export function textFrom(person: number, text: string): LineEvent {
  const phone = `55119${String(70_000_000 + person)}`;
  return {
    type: "message",
    message: {
      waId: randomUUID(),
      chat: { kind: "phone", value: phone },
      person: { phone, lid: null },
      fromMe: false,
      participant: null,
      pushName: `Person ${person}`,
      at: new Date(),
      isOffline: false,
      quotedWaId: null,
      content: { kind: "text", text },
    },
  };
}

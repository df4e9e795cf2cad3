import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { pino } from "pino";
import { contactBook, createIngest } from "../server/src/features/inbound/index.ts";
import { createVault } from "../server/src/platform/auth/index.ts";
import { systemClock } from "../server/src/platform/clock/index.ts";
import { countStatements, openDatabase } from "../server/src/platform/db/index.ts";
import type { Db } from "../server/src/platform/db/index.ts";
import type { LineEvent } from "../server/src/whatsapp/port.ts";

const contacts = 50;

/**
 * The taking in of messages alone, without a line: CPU and statements for one message, and messages a second in
 * batches of a hundred, as a line's journal makes them in a burst.
 */
export async function measureIngest(url: string): Promise<[what: string, value: number][]> {
  const log = pino({ level: "fatal" });
  const db = openDatabase({ url, log });
  const { companyId, connectionId } = await aLine(db);
  const ingest = createIngest({ vault: createVault(["a secret that only the bench knows of"]), contacts: contactBook });
  const actor = { kind: "line", companyId, connectionId } as const;
  const receive = (events: readonly LineEvent[]) =>
    db.inCompany({ actor, companyId, log, clock: systemClock }, (ctx) => ingest(ctx, connectionId, events));

  try {
    // Everybody has written before, and the code is warm.
    await inBatches(receive, 2_000, 10);
    const { statements } = await countStatements(() => receive([message(1)]));
    const single = await inBatches(receive, 2_000, 1);
    const burst = await inBatches(receive, 20_000, 100);
    return [
      ["ingest: statements a message", statements.length],
      ["ingest: CPU ms a message", single.cpuMs],
      ["ingest: messages/s one by one", single.perSecond],
      ["ingest: messages/s in bursts", burst.perSecond],
      ["ingest: CPU ms a message in bursts", burst.cpuMs],
    ];
  } finally {
    await db.close();
  }
}

async function inBatches(receive: (events: readonly LineEvent[]) => Promise<void>, count: number, size: number) {
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (let at = 0; at < count; at += size) {
    await receive(Array.from({ length: size }, (_, n) => message(at + n)));
  }
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: count / seconds, cpuMs: (user + system) / 1_000 / count };
}

function message(n: number): LineEvent {
  const phone = `55119${String(80_000_000 + (n % contacts))}`;
  return {
    type: "message",
    message: {
      waId: randomUUID(),
      chat: { kind: "phone", value: phone },
      person: { phone, lid: null },
      fromMe: false,
      participant: null,
      pushName: `Contact ${n % contacts}`,
      at: new Date(),
      isOffline: false,
      quotedWaId: null,
      content: { kind: "text", text: `Message number ${n}, of an ordinary length, as people write them` },
    },
  };
}

async function aLine(database: Db): Promise<{ companyId: number; connectionId: number }> {
  const company = await sql<{ id: number }>`
    insert into companies (name) values (${`bench ${randomUUID()}`}) returning id`.execute(database.system);
  const id = company.rows[0]?.id ?? 0;
  const connection = await sql<{ id: number }>`
    insert into connections (company_id, name, wanted) values (${id}, 'line', 'down') returning id`.execute(
    database.system,
  );
  return { companyId: id, connectionId: connection.rows[0]?.id ?? 0 };
}

import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { sql } from "kysely";
import { contactBook, createIngest } from "../server/src/features/inbound/index.ts";
import { createVault } from "../server/src/platform/auth/index.ts";
import { systemClock } from "../server/src/platform/clock/index.ts";
import { countStatements, migrateToLatest, openDatabase, startEmbedded } from "../server/src/platform/db/index.ts";
import type { Db } from "../server/src/platform/db/index.ts";
import type { LineEvent } from "../server/src/whatsapp/port.ts";

/**
 * The taking in of messages alone, without a line: milliseconds of CPU and statements for one message, and messages a
 * second in batches as a line's journal makes them in a burst. Uses DATABASE_URL, or an embedded database of its own.
 */
const log = pino({ level: "fatal" });
const contacts = 50;

const dataDir = await mkdtemp(path.join(tmpdir(), "prosa-bench-"));
const given = process.env["DATABASE_URL"];
const embedded = given ? undefined : await startEmbedded({ dataDir, log });
const url = given ?? embedded?.url ?? "";
await migrateToLatest({ url, log });
const db = openDatabase({ url, log });
const { companyId, connectionId } = await aLine(db);
const ingest = createIngest({ vault: createVault(["a secret that only the bench knows of"]), contacts: contactBook });

await receive(Array.from({ length: 200 }, (_, n) => message(n)));
const { statements } = await countStatements(() => receive([message(1)]));
console.log(`statements for one message: ${statements.length}`);
await measure("one by one", 1_000, 1);
await measure("batches of 10", 5_000, 10);
await measure("batches of 100", 20_000, 100);

await db.close();
await embedded?.stop();
await rm(dataDir, { recursive: true, force: true });

async function measure(name: string, count: number, size: number): Promise<void> {
  const times: number[] = [];
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (let at = 0; at < count; at += size) {
    const start = performance.now();
    await receive(Array.from({ length: size }, (_, n) => message(at + n)));
    times.push(performance.now() - start);
  }
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const sorted = times.toSorted((a, b) => a - b);
  const p = (share: number) => sorted[Math.floor(sorted.length * share)]?.toFixed(1);
  console.log(
    `${name}: ${Math.round(count / seconds)} messages/s, ${((user + system) / 1_000 / count).toFixed(2)} ms of server CPU each, ` +
      `commit p50 ${p(0.5)} ms, p99 ${p(0.99)} ms`,
  );
}

function receive(events: readonly LineEvent[]): Promise<void> {
  const actor = { kind: "line", companyId, connectionId } as const;
  return db.inCompany({ actor, companyId, log, clock: systemClock }, (ctx) => ingest(ctx, connectionId, events));
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
    insert into connections (company_id, name) values (${id}, 'line') returning id`.execute(database.system);
  return { companyId: id, connectionId: connection.rows[0]?.id ?? 0 };
}

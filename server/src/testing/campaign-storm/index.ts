import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { pino } from "pino";
import { cancelCampaign, restartCampaign } from "#server/features/campaigns/index.ts";
import { recordOptOut } from "#server/features/sending/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { openDatabase } from "#server/platform/db/index.ts";
import { makeCompany } from "../storm/company.ts";
import { waitUntil } from "../wait-until.ts";
import { arrangeCampaign } from "./arrange-campaign.ts";
import { readSent, storyClock } from "./setup.ts";
import type { SentMessage, StormSetup } from "./setup.ts";

export interface CampaignStormOptions {
  /** For data and what was sent. */
  readonly folder: string;
  /** A migrated database. */
  readonly databaseUrl: string;
  readonly contacts: number;
  readonly kills: number;
  /** Milliseconds between two kills, at random up to this. */
  readonly killEveryMs: number;
  /** Seconds of the story in one of the machine. */
  readonly speed: number;
  readonly withinMs: number;
}

/** How often each promise was broken, and what the storm was made of. */
export interface CampaignStormReport {
  readonly verdict: {
    readonly without: number;
    readonly twice: number;
    readonly toOptedOut: number;
    readonly toInvalid: number;
    readonly tooSoon: number;
    readonly unevenVariants: number;
  };
  readonly observations: {
    readonly messages: number;
    readonly optedOut: number;
    readonly kills: number;
    readonly sentAgain: number;
  };
}

const pace = { messageInterval: 5, longerIntervalAfter: 20, greaterInterval: 10 } as const;
/** 10:00 in São Paulo on a Wednesday. */
const storyBegan = new Date("2026-11-18T13:00:00Z").getTime();
/** Opted out at once, in the middle of the send. */
const optOutsAtOnce = 5;

/**
 * A campaign over two lines and two worker processes, which are killed again and again while it is cancelled, restarted and
 * people opt out (K-05). The lines are fake and the clock is fast; the database and the processes are real.
 */
export async function runCampaignStorm(options: CampaignStormOptions): Promise<CampaignStormReport> {
  const { folder, databaseUrl, speed } = options;
  mkdirSync(folder, { recursive: true });
  const sentFile = join(folder, "sent.jsonl");
  writeFileSync(sentFile, "");
  const log = pino({ level: "fatal" });
  const began = { storyBegan, began: Date.now(), speed };
  const clock = storyClock({ ...began, databaseUrl, folder, sentFile, connectionIds: [] });
  const db = openDatabase({ url: databaseUrl, log, max: 2, systemMax: 2, clock });
  const { companyId } = await makeCompany(db, `campaign${Date.now()}`);
  const actor = { kind: "system", companyId, reason: "storm" } as const;
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) =>
    db.inCompany({ actor, companyId, log, clock, retry: true }, work);
  const { connectionIds, campaignId } = await inside((ctx) =>
    arrangeCampaign(ctx, { contacts: options.contacts, lines: 2, pace }),
  );
  const setup: StormSetup = { ...began, databaseUrl, folder, sentFile, connectionIds };

  const workers = [await startWorker(setup), await startWorker(setup)];
  const optedOut = new Set<string>();
  try {
    for (let kill = 0; kill < options.kills; kill += 1) {
      await sleep(randomInt(options.killEveryMs));
      workers[kill % 2]?.kill("SIGKILL");
      workers[kill % 2] = await startWorker(setup);
      (await inside((ctx) => optSomeOut(ctx, campaignId))).forEach((number) => optedOut.add(number));
      await (kill % 4 === 1 ? cancelOrRestart(inside, campaignId, "cancel") : undefined);
      await (kill % 4 === 3 ? cancelOrRestart(inside, campaignId, "restart") : undefined);
    }
    await cancelOrRestart(inside, campaignId, "restart");
    await waitUntil(async () => (await inside((ctx) => statusOf(ctx, campaignId))) === "FINALIZADA", options.withinMs);
    return await inside((ctx) =>
      judge(ctx, campaignId, readSent(readFileSync(sentFile, "utf8")), optedOut, options.kills),
    );
  } finally {
    workers.forEach((worker) => worker.kill("SIGKILL"));
    await db.close();
  }
}

async function startWorker(setup: StormSetup): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("worker.fixture.ts", import.meta.url));
  const worker = spawn(process.execPath, [script, JSON.stringify(setup)], { stdio: ["ignore", "pipe", "inherit"] });
  // If the parent crashes the child must not keep running on the database of the next run.
  const killWorker = () => worker.kill("SIGKILL");
  process.once("exit", killWorker);
  worker.once("exit", () => process.off("exit", killWorker));
  await once(worker.stdout, "data");
  return worker;
}

/** Some who still wait opt out. Their rows are locked meanwhile: nobody is writing to them at this moment. */
async function optSomeOut(ctx: Ctx, campaignId: number): Promise<string[]> {
  const { rows } = await sql<{ number: string; name: string }>`
    select number, name from campaign_recipients
    where campaign_id = ${campaignId} and state = 'waiting' and contact_id is null and number like '55119%'
      and not exists (select from contacts c where c.company_id = ${ctx.companyId} and c.number = campaign_recipients.number)
    order by random() limit ${optOutsAtOnce} for update skip locked`.execute(ctx.db);
  for (const { number, name } of rows) {
    const { rows: made } = await sql<{ id: number }>`
      insert into contacts (company_id, name, number) values (${ctx.companyId}, ${name}, ${number}) returning id`.execute(
      ctx.db,
    );
    const said = { source: "word", word: "sair", messageId: null, ticketId: null, userId: null, note: "" } as const;
    await recordOptOut(ctx, { ...said, contactId: made[0]!.id, at: ctx.now() });
  }
  return rows.map(({ number }) => number);
}

type Inside = <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>;

async function cancelOrRestart(inside: Inside, campaignId: number, what: "cancel" | "restart"): Promise<void> {
  const wanted = what === "cancel" ? "EM_ANDAMENTO" : "CANCELADA";
  if ((await inside((ctx) => statusOf(ctx, campaignId))) === wanted) {
    await inside((ctx) => (what === "cancel" ? cancelCampaign : restartCampaign)(ctx, campaignId));
  }
}

async function statusOf(ctx: Ctx, campaignId: number): Promise<string | undefined> {
  const { rows } = await sql<{ status: string }>`select status from campaigns where id = ${campaignId}`.execute(ctx.db);
  return rows[0]?.status;
}

interface Result {
  readonly number: string;
  readonly state: string;
  readonly variant: number | null;
  readonly connectionId: number | null;
  readonly queuedAt: Date | null;
}

async function judge(
  ctx: Ctx,
  campaignId: number,
  sent: readonly SentMessage[],
  optedOut: ReadonlySet<string>,
  kills: number,
): Promise<CampaignStormReport> {
  const { rows } = await sql<Result>`
    select number, state, variant, connection_id as "connectionId", queued_at as "queuedAt"
    from campaign_recipients where campaign_id = ${campaignId} order by queued_at`.execute(ctx.db);
  const idsByNumber = new Map<string, Set<string>>();
  for (const { number, waId } of sent) {
    const person = withoutNinth(number);
    idsByNumber.set(person, (idsByNumber.get(person) ?? new Set()).add(waId));
  }
  const messagesTo = ({ number }: Pick<Result, "number">) => idsByNumber.get(withoutNinth(number))?.size ?? 0;
  const expected = rows.filter(({ state }) => state === "sent");
  const counts = [1, 2, 4].map((variant) => expected.filter((row) => row.variant === variant).length);
  const shortest = (pace.messageInterval * 1_000 * 7) / 10;
  return {
    verdict: {
      without: expected.filter((row) => messagesTo(row) === 0).length + rows.filter(isOpen).length,
      twice: [...idsByNumber.values()].filter(({ size }) => size > 1).length,
      toOptedOut: [...optedOut].filter((number) => messagesTo({ number }) > 0).length,
      toInvalid: rows.filter((row) => row.state === "invalid" && messagesTo(row) > 0).length,
      tooSoon: gapsOf(rows).filter((gap) => gap < shortest).length,
      unevenVariants: counts.filter((count) => Math.abs(count - expected.length / 3) / expected.length > 0.02).length,
    },
    observations: {
      messages: expected.length,
      optedOut: optedOut.size,
      kills,
      sentAgain: sent.length - new Set(sent.map(({ waId }) => waId)).size,
    },
  };
}

function isOpen({ state }: Result): boolean {
  return ["unchecked", "waiting", "asked", "agreed", "queued", "failed"].includes(state);
}

/** Milliseconds between two contacts of one line. */
function gapsOf(rows: readonly Result[]): number[] {
  const byLine = Map.groupBy(
    rows.filter(({ queuedAt }) => queuedAt !== null),
    ({ connectionId }) => connectionId,
  );
  return [...byLine.values()].flatMap((own) =>
    own.slice(1).map(({ queuedAt }, index) => queuedAt!.getTime() - own[index]!.queuedAt!.getTime()),
  );
}

function withoutNinth(number: string): string {
  return number.replace(/^(55\d\d)9(\d{8})$/, "$1$2");
}

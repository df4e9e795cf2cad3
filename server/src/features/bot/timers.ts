import { z } from "zod";
import { closeIdleTickets, transferWaitingTickets } from "#server/features/tickets/index.ts";
import { isSwitchedOn } from "#server/features/companies/index.ts";
import type { OverdueCriteria } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Cron, JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { readChatFacts, TIMED_CONNECTIONS } from "./bot.queries.ts";
import { lineTextsOf } from "./line-texts.ts";
import { say, textMessage } from "./say.ts";

export const TIMERS_TASK = "bot.timers";
/** Tickets of one transaction. */
const most = 50;

/** Each minute: a job for every line whose tickets may not wait for ever. What goes wrong with one stops no other. */
export const timers: Cron = {
  name: TIMERS_TASK,
  everySeconds: 60,
  async run({ db, clock }) {
    await db.systemTx(async (tx) => {
      for (const { companyId, ...payload } of await tx.raw(TIMED_CONNECTIONS, [])) {
        const key = `timers:${payload.connectionId}`;
        tx.enqueue(companyId, { task: TIMERS_TASK, payload: { ...payload }, key, runAt: clock.now() });
      }
    });
  },
};

/** Moves what waited too long, closes what was left. Rows are taken under lock: two of these do each once. */
export const keepTime: JobHandler = async (job, deps) => {
  const { connectionId, timeToTransfer, transferQueueId, expiresTicket } = timed.parse(job.payload);
  // switched off since this job was made
  if (!(await deps.inCompany(isSwitchedOn))) {
    return;
  }
  const overdue = (minutes: number): OverdueCriteria => {
    return { connectionId, before: new Date(deps.clock.now().getTime() - minutes * 60_000), limit: most };
  };
  if (timeToTransfer > 0 && transferQueueId !== null) {
    await untilDone(deps, (ctx) => transferWaitingTickets(ctx, overdue(timeToTransfer), transferQueueId));
  }
  if (expiresTicket > 0) {
    await untilDone(deps, (ctx) => closeIdleTickets(ctx, overdue(expiresTicket), farewellBy(ctx, connectionId)));
  }
};

function farewellBy(ctx: Ctx, connectionId: number) {
  return async ({ id }: { readonly id: number }) => {
    const { expiresInactive, language } = await lineTextsOf(ctx, connectionId);
    const facts = (await readChatFacts(ctx, [id])).get(id);
    await say(ctx, { facts, language, messages: [textMessage(expiresInactive)] });
  };
}

async function untilDone({ inCompany, signal }: JobDeps, work: (ctx: Ctx) => Promise<number>): Promise<void> {
  let count = most;
  while (count === most) {
    signal.throwIfAborted();
    count = await inCompany(work);
  }
}

const timed = z.object({
  connectionId: z.number(),
  timeToTransfer: z.number(),
  transferQueueId: z.number().nullable(),
  expiresTicket: z.number(),
});

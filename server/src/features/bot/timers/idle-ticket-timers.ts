import { z } from "zod";
import { closeIdleTickets, transferWaitingTickets } from "#server/features/tickets/index.ts";
import { isCompanyActive } from "#server/features/companies/index.ts";
import type { MovedTicket, OverdueCriteria } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Cron, JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import type { AssistantKinds } from "../bot.script.ts";
import { textMessage } from "../bot.script.ts";
import { connectionTextsOf } from "../connection-texts.ts";
import { isClosed, loadScript } from "../engine/index.ts";
import { sendToTickets } from "../send-automatic-message.ts";
import { TIMED_CONNECTIONS } from "./idle-ticket-timers.queries.ts";

export const TIMERS_TASK = "bot.timers";
/** Tickets of one transaction. */
const batchSize = 50;

/** Each minute enqueues a job for every connection with a time limit. A failure of one connection stops no other. */
export const timersCron: Cron = {
  name: TIMERS_TASK,
  everySeconds: 60,
  priority: "notice",
  async run({ db, clock }) {
    await db.systemTx(async (tx) => {
      for (const { companyId, ...payload } of await tx.raw(TIMED_CONNECTIONS, [])) {
        const key = `timers:${payload.connectionId}`;
        tx.enqueue(companyId, { task: TIMERS_TASK, payload: { ...payload }, key, runAt: clock.now() });
      }
    });
  },
};

/** Transfers tickets that waited too long and closes idle ones. Locks the rows, so that concurrent jobs do not handle a ticket twice. */
export const runTimers =
  (assistants: AssistantKinds): JobHandler =>
  async (job, deps) => {
    const { connectionId, timeToTransfer, transferQueueId, expiresTicket } = timersPayload.parse(job.payload);
    // The company may have been switched off since this job was enqueued.
    if (!(await deps.inCompany(isCompanyActive))) {
      return;
    }
    const overdue = (minutes: number): OverdueCriteria => {
      return { connectionId, before: new Date(deps.clock.now().getTime() - minutes * 60_000), limit: batchSize };
    };
    if (timeToTransfer > 0 && transferQueueId !== null) {
      await repeatUntilDone(deps, (ctx) =>
        transferWaitingTickets(ctx, overdue(timeToTransfer), transferQueueId, tellMoved(ctx, connectionId, assistants)),
      );
    }
    if (expiresTicket > 0) {
      await repeatUntilDone(deps, (ctx) =>
        closeIdleTickets(ctx, overdue(expiresTicket), sendFarewell(ctx, connectionId)),
      );
    }
  };

/** The old menu is dead, and a contact who still looks at it is told so (behaviour 5, timers). */
function tellMoved(ctx: Ctx, connectionId: number, assistants: AssistantKinds) {
  return async (moved: readonly MovedTicket[]) => {
    if (moved.length === 0) {
      return;
    }
    const script = await loadScript(ctx, connectionId, assistants);
    const { defaults } = await connectionTextsOf(ctx, connectionId);
    const hasPerson = !isClosed(script, script.transfer?.queue, ctx.now());
    const notices = moved.map(({ id: ticketId, hadMenu }) => ({
      ticketId,
      messages: [textMessage(defaults.moved({ hadMenu, hasPerson }))],
    }));
    await sendToTickets(ctx, connectionId, notices, "notice");
  };
}

function sendFarewell(ctx: Ctx, connectionId: number) {
  return async ({ id: ticketId }: { readonly id: number }) => {
    const { expiresInactive } = await connectionTextsOf(ctx, connectionId);
    await sendToTickets(ctx, connectionId, [{ ticketId, messages: [textMessage(expiresInactive)] }], "notice");
  };
}

async function repeatUntilDone({ inCompany, signal }: JobDeps, work: (ctx: Ctx) => Promise<number>): Promise<void> {
  let count = batchSize;
  while (count === batchSize) {
    signal.throwIfAborted();
    count = await inCompany(work);
  }
}

const timersPayload = z.object({
  connectionId: z.number(),
  timeToTransfer: z.number(),
  transferQueueId: z.number().nullable(),
  expiresTicket: z.number(),
});

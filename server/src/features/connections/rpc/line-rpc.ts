import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Actor, Ctx } from "#server/platform/ctx.ts";
import { renamedTask } from "#server/platform/jobs/index.ts";
import type { Job, JobDeps } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { Line } from "#server/whatsapp/port.ts";
import { findAnswer, insertAnswer } from "./line-rpc-results.queries.ts";

const person = z.object({ phone: z.string().nullable(), lid: z.string().nullable() });

/** What may be asked of a line that runs in another process: the question and its answer are JSON. */
const questions = {
  checkNumbers: {
    args: z.array(z.string()),
    answer: z.array(z.tuple([z.string(), person])),
    ask: async (line: Line, numbers: readonly string[]) => [...(await line.checkNumbers(numbers))],
  },
  groupSubject: {
    args: z.string(),
    answer: z.string().nullable(),
    ask: (line: Line, groupId: string) => line.groupSubject(groupId),
  },
} as const;

export type Question = keyof typeof questions;
export type ArgsOf<Q extends Question> = z.output<(typeof questions)[Q]["args"]>;
export type AnswerOf<Q extends Question> = z.output<(typeof questions)[Q]["answer"]>;

export const ASK_TASK = renamedTask("lines.rpc", { formerName: "lines.ask", since: "0.2.0" });

const asked = z.object({ id: z.uuid(), connectionId: z.number().int(), question: z.string(), args: z.unknown() });
const answered = z.union([z.object({ answer: z.unknown() }), z.object({ failed: z.string() })]);

export interface Asking<Q extends Question> {
  readonly services: Services;
  readonly actor: Actor;
  readonly connectionId: number;
  readonly question: Q;
  readonly args: ArgsOf<Q>;
  readonly timeoutMs: number;
}

/** Asks a line of this process. */
export async function askHere<Q extends Question>(line: Line, question: Q, args: ArgsOf<Q>): Promise<AnswerOf<Q>> {
  const { ask, answer } = questions[question];
  return answer.parse(await (ask as (line: Line, args: unknown) => Promise<unknown>)(line, args)) as AnswerOf<Q>;
}

/** Asks the process that owns the line: by a job that only it may run, answered by a row. Throws SendError. */
export async function askElsewhere<Q extends Question>(asking: Asking<Q>): Promise<AnswerOf<Q>> {
  const { services, actor, connectionId, question, args, timeoutMs } = asking;
  const { db, log, clock } = services;
  const { companyId } = actor;
  const id = randomUUID();
  await db.inCompany({ actor, companyId, log, clock }, async (ctx) => {
    ctx.enqueue({
      task: ASK_TASK.enqueuedAs,
      payload: { id, connectionId, question, args },
      affinity: `line:${connectionId}`,
      maxAttempts: 1,
    });
  });

  const found = await waitFor(services, timeoutMs, () => findAnswer(db, companyId, id));
  const result = answered.parse(found);
  if ("failed" in result) {
    throw new SendError("unknown", true, { detail: result.failed });
  }
  return questions[question].answer.parse(result.answer) as AnswerOf<Q>;
}

/** The job of a question, in the process that owns the line. */
export function answerQuestion(find: (connectionId: number) => Line | undefined) {
  return async (job: Job, deps: JobDeps): Promise<void> => {
    const { id, connectionId, question, args } = asked.parse(job.payload);
    const answer = await answerOf(find(connectionId), question, args);
    await deps.inCompany(async (ctx: Ctx) => {
      await insertAnswer(ctx, id, answer);
      // Wakes whoever waits for it, in any process.
      ctx.emit({ type: "connection.answered", payload: { connectionId } });
    });
  };
}

async function answerOf(line: Line | undefined, question: string, args: unknown): Promise<z.output<typeof answered>> {
  if (!line || !(question in questions)) {
    return { failed: "the line is not here" };
  }
  const name = question as Question;
  try {
    return { answer: await askHere(line, name, questions[name].args.parse(args) as ArgsOf<Question>) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : "unknown" };
  }
}

const LOOK_MS = 500;

/** Looks after each event of any process, and every half second as the net. */
async function waitFor<T>({ db }: Services, timeoutMs: number, look: () => Promise<T | undefined>): Promise<T> {
  const until = performance.now() + timeoutMs;
  let wake = (): void => undefined;
  const unsubscribe = db.listenNotify.listen("events", () => wake());
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const found = await look();
      if (found !== undefined) {
        return found;
      }
      const left = until - performance.now();
      if (left <= 0) {
        throw new SendError("timeout", true, { detail: "The line did not answer" });
      }
      let timer: NodeJS.Timeout | undefined;
      const pause = new Promise<void>((resolve) => (timer = setTimeout(resolve, Math.min(LOOK_MS, left))));
      await Promise.race([woken, pause]);
      clearTimeout(timer);
    }
  } finally {
    unsubscribe();
  }
}

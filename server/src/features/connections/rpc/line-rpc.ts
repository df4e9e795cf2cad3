import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Actor, Ctx } from "#server/platform/ctx.ts";
import { renamedTask } from "#server/platform/jobs/index.ts";
import type { Job, JobDeps } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { Line } from "#server/whatsapp/port.ts";
import { findRpcResult, insertRpcResult } from "./line-rpc-results.queries.ts";

const person = z.object({ phone: z.string().nullable(), lid: z.string().nullable() });

/** What may be asked of a line that runs in another process: the question and its answer are JSON. */
const methods = {
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

export type LineRpcMethod = keyof typeof methods;
export type RpcArgs<Q extends LineRpcMethod> = z.output<(typeof methods)[Q]["args"]>;
export type RpcResult<Q extends LineRpcMethod> = z.output<(typeof methods)[Q]["answer"]>;

export const LINE_RPC_TASK = renamedTask("lines.rpc", { formerName: "lines.ask", since: "0.2.0" });

const rpcRequest = z.object({ id: z.uuid(), connectionId: z.number().int(), question: z.string(), args: z.unknown() });
const rpcResponse = z.union([z.object({ answer: z.unknown() }), z.object({ failed: z.string() })]);

export interface RemoteCall<Q extends LineRpcMethod> {
  readonly services: Services;
  readonly actor: Actor;
  readonly connectionId: number;
  readonly method: Q;
  readonly args: RpcArgs<Q>;
  readonly timeoutMs: number;
}

/** Asks a line of this process. */
export async function callLocal<Q extends LineRpcMethod>(
  line: Line,
  question: Q,
  args: RpcArgs<Q>,
): Promise<RpcResult<Q>> {
  const { ask, answer } = methods[question];
  return answer.parse(await (ask as (line: Line, args: unknown) => Promise<unknown>)(line, args)) as RpcResult<Q>;
}

/** Asks the process that owns the line: by a job that only it may run, answered by a row. Throws SendError. */
export async function callRemote<Q extends LineRpcMethod>(asking: RemoteCall<Q>): Promise<RpcResult<Q>> {
  const { services, actor, connectionId, method: question, args, timeoutMs } = asking;
  const { db, log, clock } = services;
  const { companyId } = actor;
  const id = randomUUID();
  await db.inCompany({ actor, companyId, log, clock }, async (ctx) => {
    ctx.enqueue({
      task: LINE_RPC_TASK.enqueuedAs,
      payload: { id, connectionId, question, args },
      affinity: `line:${connectionId}`,
      maxAttempts: 1,
    });
  });

  const found = await pollForResult(services, timeoutMs, () => findRpcResult(db, companyId, id));
  const result = rpcResponse.parse(found);
  if ("failed" in result) {
    throw new SendError("unknown", true, { detail: result.failed });
  }
  return methods[question].answer.parse(result.answer) as RpcResult<Q>;
}

/** The job of a question, in the process that owns the line. */
export function handleRemoteCall(find: (connectionId: number) => Line | undefined) {
  return async (job: Job, deps: JobDeps): Promise<void> => {
    const { id, connectionId, question, args } = rpcRequest.parse(job.payload);
    const answer = await runRemoteCall(find(connectionId), question, args);
    await deps.inCompany(async (ctx: Ctx) => {
      await insertRpcResult(ctx, id, answer);
      // Wakes whoever waits for it, in any process.
      ctx.emit({ type: "connection.answered", payload: { connectionId } });
    });
  };
}

async function runRemoteCall(
  line: Line | undefined,
  question: string,
  args: unknown,
): Promise<z.output<typeof rpcResponse>> {
  if (!line || !(question in methods)) {
    return { failed: "the line is not here" };
  }
  const name = question as LineRpcMethod;
  try {
    return { answer: await callLocal(line, name, methods[name].args.parse(args) as RpcArgs<LineRpcMethod>) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : "unknown" };
  }
}

const POLL_MS = 500;

/** Looks after each event of any process, and every half second as the net. */
async function pollForResult<T>({ db }: Services, timeoutMs: number, poll: () => Promise<T | undefined>): Promise<T> {
  const until = performance.now() + timeoutMs;
  let wake = (): void => undefined;
  const unsubscribe = db.listenNotify.listen("events", () => wake());
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const found = await poll();
      if (found !== undefined) {
        return found;
      }
      const left = until - performance.now();
      if (left <= 0) {
        throw new SendError("timeout", true, { detail: "The line did not answer" });
      }
      let timer: NodeJS.Timeout | undefined;
      const pause = new Promise<void>((resolve) => (timer = setTimeout(resolve, Math.min(POLL_MS, left))));
      await Promise.race([woken, pause]);
      clearTimeout(timer);
    }
  } finally {
    unsubscribe();
  }
}

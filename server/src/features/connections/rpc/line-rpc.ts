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

/** What can be called on a line that runs in another process: arguments and result are JSON. */
const methods = {
  checkNumbers: {
    args: z.array(z.string()),
    result: z.array(z.tuple([z.string(), person])),
    call: async (line: Line, numbers: readonly string[]) => [...(await line.checkNumbers(numbers))],
  },
  groupSubject: {
    args: z.string(),
    result: z.string().nullable(),
    call: (line: Line, groupId: string) => line.groupSubject(groupId),
  },
} as const;

export type LineRpcMethod = keyof typeof methods;
export type RpcArgs<M extends LineRpcMethod> = z.output<(typeof methods)[M]["args"]>;
export type RpcResult<M extends LineRpcMethod> = z.output<(typeof methods)[M]["result"]>;

export const LINE_RPC_TASK = renamedTask("lines.rpc", { formerName: "lines.ask", since: "0.2.0" });

const rpcRequest = z.object({ id: z.uuid(), connectionId: z.number().int(), question: z.string(), args: z.unknown() });
const rpcResponse = z.union([z.object({ answer: z.unknown() }), z.object({ failed: z.string() })]);

export interface RemoteCall<M extends LineRpcMethod> {
  readonly services: Services;
  readonly actor: Actor;
  readonly connectionId: number;
  readonly method: M;
  readonly args: RpcArgs<M>;
  readonly timeoutMs: number;
}

/** Calls a line that runs in this process. */
export async function callLocal<M extends LineRpcMethod>(
  line: Line,
  method: M,
  args: RpcArgs<M>,
): Promise<RpcResult<M>> {
  const { call, result } = methods[method];
  return result.parse(await (call as (line: Line, args: unknown) => Promise<unknown>)(line, args)) as RpcResult<M>;
}

/**
 * Calls the line in the process that owns it: by a job that only the owner may run, which stores its result in a row.
 * Throws SendError: `timeout` where no result comes in time.
 */
export async function callRemote<M extends LineRpcMethod>(call: RemoteCall<M>): Promise<RpcResult<M>> {
  const { services, actor, connectionId, method, args, timeoutMs } = call;
  const { db, log, clock } = services;
  const { companyId } = actor;
  const id = randomUUID();
  await db.inCompany({ actor, companyId, log, clock }, async (ctx) => {
    ctx.enqueue({
      task: LINE_RPC_TASK.enqueuedAs,
      payload: { id, connectionId, question: method, args },
      affinity: `line:${connectionId}`,
      maxAttempts: 1,
      // The caller waits for the response.
      priority: "interactive",
    });
  });

  const found = await pollForResult(services, timeoutMs, () => findRpcResult(db, companyId, id));
  const response = rpcResponse.parse(found);
  if ("failed" in response) {
    throw new SendError("unknown", true, { detail: response.failed });
  }
  return methods[method].result.parse(response.answer) as RpcResult<M>;
}

/** Handles the job of a remote call, in the process that owns the line. */
export function handleRemoteCall(find: (connectionId: number) => Line | undefined) {
  return async (job: Job, deps: JobDeps): Promise<void> => {
    const { id, connectionId, question, args } = rpcRequest.parse(job.payload);
    const response = await runRemoteCall(find(connectionId), question, args);
    await deps.inCompany(async (ctx: Ctx) => {
      await insertRpcResult(ctx, id, response);
      // Wakes the caller, in whatever process it waits.
      ctx.emit({ type: "connection.answered", payload: { connectionId } });
    });
  };
}

async function runRemoteCall(
  line: Line | undefined,
  methodName: string,
  args: unknown,
): Promise<z.output<typeof rpcResponse>> {
  if (!line || !(methodName in methods)) {
    return { failed: "the line is not here" };
  }
  const method = methodName as LineRpcMethod;
  try {
    return { answer: await callLocal(line, method, methods[method].args.parse(args) as RpcArgs<LineRpcMethod>) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : "unknown" };
  }
}

const POLL_MS = 500;

/** Polls after each NOTIFY of the event log, and every half second in case one was missed. */
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

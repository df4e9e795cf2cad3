import { AsyncLocalStorage } from "node:async_hooks";
import type { Actor } from "../ctx.ts";

/** The request on whose behalf something is done: for the audit log only, never for rights. */
export interface RequestCaller {
  /** Undefined on public endpoints. */
  readonly actor: Actor | undefined;
  readonly address: string;
  readonly userAgent: string;
}

const callers = new AsyncLocalStorage<RequestCaller>();

/** Runs the handler of a request, so that its audit entries know who calls and from where. */
export function runForCaller<T>(caller: RequestCaller, work: () => Promise<T>): Promise<T> {
  return callers.run(caller, work);
}

/** The request that is being handled, if any. */
export function requestCaller(): RequestCaller | undefined {
  return callers.getStore();
}

import type { FastifyReply } from "fastify";
import { AppError } from "../../ctx.ts";

/**
 * Aborted when the caller has left before the answer, so that nobody works for who has gone. The request's own signal is aborted as soon
 * as its body has been read. Its reason is an answer that nobody reads, and no failure for the log.
 */
export function callerGone({ raw }: Pick<FastifyReply, "raw">): AbortSignal {
  const gone = new AbortController();
  const leave = () => {
    if (!raw.writableFinished) {
      gone.abort(new AppError("ERR_UNAVAILABLE"));
    }
  };
  if (raw.destroyed) {
    leave();
  }
  raw.once("close", leave);
  return gone.signal;
}

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { refuseMalformedRequest } from "../responses/index.ts";

export interface BodyLimits {
  /** Time after the head in which a body that is no upload must be complete. */
  readonly bodyMs: number;
  /** Period in which an upload must make progress by `leastBytes`. */
  readonly stallMs: number;
  readonly leastBytes: number;
  /** Lingering close: how long the rest of a request is read and discarded after an early response … */
  readonly lingerMs: number;
  /** … and the pause after which it ends earlier. */
  readonly lingerStallMs: number;
}

/** Limits derived from REQUEST_SECONDS. Uploads of a phone on a bad network may stall for longer than a form may take. */
export function bodyLimits(requestSeconds: number): BodyLimits {
  const bodyMs = requestSeconds * 1000;
  return { bodyMs, stallMs: 2 * bodyMs, leastBytes: 1024, lingerMs: 3 * bodyMs, lingerStallMs: bodyMs / 2 };
}

/** A request whose body is incomplete. Times are of one monotonic clock, in ms. */
export interface OpenBody {
  readonly isUpload: boolean;
  readonly beganAt: number;
  /** Time of the last progress by `leastBytes`, and bytes read from the socket by then. */
  readonly movedAt: number;
  readonly movedBytes: number;
  readonly answeredAt: number | undefined;
}

/** The next state of an open body; undefined when the request must be aborted. */
export function nextBodyState(body: OpenBody, bytes: number, now: number, limits: BodyLimits): OpenBody | undefined {
  const least = body.answeredAt === undefined ? limits.leastBytes : 1;
  const moved = bytes - body.movedBytes >= least ? { ...body, movedAt: now, movedBytes: bytes } : body;
  if (body.answeredAt !== undefined) {
    const isOver = now - body.answeredAt >= limits.lingerMs || now - moved.movedAt >= limits.lingerStallMs;
    return isOver ? undefined : moved;
  }
  const isLate = body.isUpload ? now - moved.movedAt >= limits.stallMs : now - body.beganAt >= limits.bodyMs;
  return isLate ? undefined : moved;
}

/**
 * Aborts requests with a slow body: 408. Node's requestTimeout cannot distinguish an upload from a form. After an early
 * response the rest of the body is read and discarded for a while (like lingering_close of nginx), because closing a
 * socket with unread bytes resets the connection and the client would lose the response.
 */
export function abortSlowBodies(server: Server, limits: BodyLimits): void {
  const open = new Map<IncomingMessage, OpenBody>();
  /** Runs while a body is open. */
  let timer: NodeJS.Timeout | undefined;

  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers["content-length"] === "0" || !hasBody(request)) {
      return;
    }
    const now = performance.now();
    const isUpload = /^multipart\//i.test(request.headers["content-type"] ?? "");
    const { socket } = request;
    open.set(request, { isUpload, beganAt: now, movedAt: now, movedBytes: socket.bytesRead, answeredAt: undefined });
    timer ??= setInterval(check, Math.min(1_000, limits.bodyMs / 4)).unref();
    request.once("close", () => open.delete(request));
    response.once("prefinish", () => {
      if (!request.complete) {
        // Half-close only: the client may still be sending.
        socket.destroySoon = () => socket.end();
      }
    });
    response.once("finish", () => {
      const body = open.get(request);
      if (body && !request.complete) {
        const answeredAt = performance.now();
        open.set(request, { ...body, answeredAt, movedAt: answeredAt, movedBytes: socket.bytesRead });
        request.unpipe();
        request.resume();
      }
    });
    request.once("end", () => {
      if (response.writableFinished && socket.writableEnded) {
        socket.destroy();
      }
    });
  };

  function check(): void {
    const now = performance.now();
    for (const [request, body] of open) {
      const { socket } = request;
      const next = request.complete ? undefined : nextBodyState(body, socket.bytesRead, now, limits);
      if (next) {
        open.set(request, next);
        continue;
      }
      open.delete(request);
      if (!request.complete) {
        abort(request, body);
      }
    }
    if (open.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  }

  // Before all other listeners, also that of Socket.IO, which replaces the ones that it finds.
  server.once("listening", () => server.prependListener("request", onRequest));
  server.once("close", () => clearInterval(timer));
}

function abort({ socket }: IncomingMessage, { answeredAt }: OpenBody): void {
  if (answeredAt === undefined) {
    refuseMalformedRequest(
      Object.assign(new Error("request body timed out"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
      socket,
    );
  } else {
    socket.destroy();
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

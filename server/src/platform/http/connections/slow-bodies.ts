import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { refuseMalformedRequest } from "../responses/index.ts";

export interface BodyLimits {
  /** A body that is no upload is here within this time after its head. */
  readonly bodyMs: number;
  /** An upload brings `leastBytes` in each such time. */
  readonly stallMs: number;
  readonly leastBytes: number;
  /** After an answer that came before the end of its request, what still comes is read and thrown away for so long … */
  readonly lingerMs: number;
  /** … as long as it comes. */
  readonly lingerStallMs: number;
}

/** By the setting REQUEST_SECONDS. A phone on a bad network is silent for longer than a form should take. */
export function bodyLimits(requestSeconds: number): BodyLimits {
  const bodyMs = requestSeconds * 1000;
  return { bodyMs, stallMs: 2 * bodyMs, leastBytes: 1024, lingerMs: 3 * bodyMs, lingerStallMs: bodyMs / 2 };
}

/** A request whose body is not here yet. Times are those of one clock that only goes forward, in ms. */
export interface OpenBody {
  readonly isUpload: boolean;
  readonly beganAt: number;
  /** When it last had brought `leastBytes` more, and how many bytes its socket had brought by then. */
  readonly movedAt: number;
  readonly movedBytes: number;
  readonly answeredAt: number | undefined;
}

/** What became of it by now; undefined ends it. */
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
 * Ends requests whose body does not come: 408. Node's own requestTimeout cannot tell an upload from a form. What is answered
 * before its end is read on and thrown away for a while (as nginx's lingering_close does): a socket that is closed while
 * bytes wait on it resets the connection, and its caller would lose the answer.
 */
export function abortSlowBodies(server: Server, limits: BodyLimits): void {
  const open = new Map<IncomingMessage, OpenBody>();

  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers["content-length"] === "0" || !hasBody(request)) {
      return;
    }
    const now = performance.now();
    const isUpload = /^multipart\//i.test(request.headers["content-type"] ?? "");
    const { socket } = request;
    open.set(request, { isUpload, beganAt: now, movedAt: now, movedBytes: socket.bytesRead, answeredAt: undefined });
    request.once("close", () => open.delete(request));
    response.once("prefinish", () => {
      if (!request.complete) {
        // Of an answer that ends its connection only our side is closed: theirs may still be sending.
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

  const timer = setInterval(
    () => {
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
    },
    Math.min(1_000, limits.bodyMs / 4),
  ).unref();

  // In front of all others, Socket.IO's too, which puts itself in the place of those that it finds.
  server.once("listening", () => server.prependListener("request", onRequest));
  server.once("close", () => clearInterval(timer));
}

function abort({ socket }: IncomingMessage, { answeredAt }: OpenBody): void {
  if (answeredAt === undefined) {
    refuseMalformedRequest(
      Object.assign(new Error("The body did not come"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
      socket,
    );
  } else {
    socket.destroy();
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

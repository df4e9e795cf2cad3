import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { errorStatus } from "@prosa/contract";
import type { ErrorBody } from "@prosa/contract";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../ctx.ts";
import { classifyInfrastructureError } from "../../infrastructure-errors.ts";
import type { FreeSpace } from "../../storage/index.ts";
import { languageOf } from "../requests/index.ts";
import { routeOf } from "../route-name.ts";
import { refusalText } from "./refusal-text.ts";

/** Sends every error as `{ error, message?, details?, requestId }` (behaviour 1). */
export function handleErrors(app: FastifyInstance, freeSpace: FreeSpace): void {
  app.setErrorHandler((error, request, reply) => {
    const known = toAppError(error);
    freeSpace.reportError(error);
    if (known.code === "ERR_INTERNAL") {
      request.log.error({ err: error, route: routeOf(request) }, "request failed");
    } else if (known.cause !== undefined) {
      request.log.warn({ err: error, route: routeOf(request), code: known.code }, "request refused");
    }
    return sendError(known, request, reply);
  });
}

/** Sends one error; for code outside the handlers, such as the 404 of an unknown path. */
export function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { retryAfterSeconds } = error.details ?? {};
  if (typeof retryAfterSeconds === "number") {
    void reply.header("retry-after", Math.ceil(retryAfterSeconds));
  }
  return reply
    .code(errorStatus[error.code])
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send(errorBody(error, refusalText(error, languageOf(request)), request.id));
}

/** Responds to a malformed request (no HTTP, headers over 16 kB, timeout) with the same error body. */
export function refuseMalformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) {
    return;
  }
  const [status, message] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "The headers are too large"]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "The request did not come to its end"]
        : ["400 Bad Request", "Malformed request"];
  const body = JSON.stringify({ error: "ERR_VALIDATION", message, requestId: randomUUID() } satisfies ErrorBody);
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}

function errorBody(error: AppError, message: string, requestId: string): ErrorBody {
  // The client parses the other ticket from `error` itself (specification 1 section 8).
  if (error.code === "ERR_OTHER_OPEN_TICKET" && error.details !== undefined && "ticket" in error.details) {
    return { error: JSON.stringify(error.details["ticket"]), code: error.code, message, requestId };
  }
  return {
    error: error.code,
    message,
    ...(error.details !== undefined && { details: error.details }),
    requestId,
  };
}

/** foreign_key_violation: the referenced row was deleted between the check and the write. */
const deletedMeanwhile = "23503";

/** Maps any error to an error of the contract; unexpected ones are ERR_INTERNAL. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) {
    return error;
  }
  const { code = "", statusCode = 500 } = error as Partial<FastifyError>;
  // Too many files are no file that is too large: a smaller one would not help.
  if (["FST_ERR_CTP_BODY_TOO_LARGE", "FST_FILES_LIMIT", "FST_PARTS_LIMIT", "FST_FIELDS_LIMIT"].includes(code)) {
    return new AppError("ERR_BODY_TOO_LARGE");
  }
  if (code === "FST_REQ_FILE_TOO_LARGE") {
    return new AppError("ERR_FILE_TOO_LARGE");
  }
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    return new AppError("ERR_VALIDATION", {
      message: "Send application/json, or multipart/form-data where the call takes files",
    });
  }
  const failure = classifyInfrastructureError(error);
  if (failure !== undefined) {
    return failure === "storage full"
      ? new AppError("ERR_STORAGE_FULL", { retryAfterSeconds: 30 }, { cause: error })
      : new AppError("ERR_UNAVAILABLE", { retryAfterSeconds: 2 }, { cause: error });
  }
  if (code === deletedMeanwhile) {
    return new AppError("ERR_NOT_FOUND", undefined, { cause: error });
  }
  if (statusCode === 404) {
    return new AppError("ERR_NOT_FOUND");
  }
  if (statusCode >= 400 && statusCode < 500) {
    // Messages of Fastify about a malformed request, for developers: invalid escapes in the URL, wrong length.
    const isJson = code === "FST_ERR_CTP_INVALID_JSON_BODY";
    return new AppError("ERR_VALIDATION", {
      message: isJson ? "Invalid JSON body" : "Malformed request",
      ...(error instanceof Error && { reason: error.message }),
    });
  }
  return new AppError("ERR_INTERNAL", undefined, { cause: error });
}

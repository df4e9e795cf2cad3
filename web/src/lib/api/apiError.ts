import type { ErrorCode } from "@prosa/contract/errors";

/** `network`: no response. `cancelled`: aborted by the client. All others come from the server. */
export type ApiErrorCode = ErrorCode | "network" | "cancelled";

/** A failed call. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  /** HTTP status, 0 when there was no answer. */
  readonly status: number;
  readonly details: Record<string, unknown>;
  /** The server's own message for people, where it sent one. */
  readonly serverText: string | undefined;

  constructor(code: ApiErrorCode, status: number, details: Record<string, unknown> = {}, serverText?: string) {
    super(serverText ?? code);
    this.name = "ApiError";
    this.code = code;
    this.status = status;
    this.details = details;
    this.serverText = serverText;
  }
}

/** Reads an error answer of behaviour 1: `{ error, code?, message?, details? }`. */
export function errorFromAnswer(status: number, body: unknown): ApiError {
  const answer = isRecord(body) ? body : {};
  const code = [answer.code, answer.error].find(isErrorCode) ?? codeOfStatus(status);
  const details = isRecord(answer.details) ? answer.details : {};
  const text = typeof answer.message === "string" && !isErrorCode(answer.message) ? answer.message : undefined;
  // ERR_OTHER_OPEN_TICKET carries the ticket as JSON where others carry their code.
  const subject = code !== answer.error && typeof answer.error === "string" ? parse(answer.error) : undefined;
  return new ApiError(code, status, subject ? { ...details, subject } : details, text);
}

/** By its form: the list of all codes would be in the first load, and a newer server may know more of them. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && /^ERR_[A-Z_]+$/.test(value);
}

function codeOfStatus(status: number): ErrorCode {
  const byStatus: Record<number, ErrorCode> = {
    400: "ERR_VALIDATION",
    401: "ERR_NOT_SIGNED_IN",
    403: "ERR_NO_PERMISSION",
    404: "ERR_NOT_FOUND",
    413: "ERR_BODY_TOO_LARGE",
    429: "ERR_TOO_MANY_REQUESTS",
    502: "ERR_UNAVAILABLE",
    503: "ERR_UNAVAILABLE",
    504: "ERR_UNAVAILABLE",
  };
  return byStatus[status] ?? "ERR_INTERNAL";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import type { LanguageModelFault } from "@prosa/contract";
import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from "openai";
import { z } from "zod";
import { isTimeout, PrivateAddressError, retryAfterMs } from "../net/index.ts";
import { truncateText } from "../truncate-text.ts";
import { LanguageModelError } from "./language-model-error.ts";

const maxMessage = 500;

/**
 * What the client threw, as one of our faults, whose message does not contain `secret`. A deliberate abort of the caller comes back
 * as it is.
 */
export function readFault(error: unknown, signal: AbortSignal, secret: string | null): unknown {
  const fault = (kind: LanguageModelFault, cause: unknown) => faultWith(kind, cause, secret);

  if (signal.aborted) {
    return isTimeout(signal.reason) ? fault("timeout", error) : signal.reason;
  }
  if (error instanceof LanguageModelError || error instanceof APIUserAbortError) {
    return error;
  }
  if (error instanceof APIConnectionTimeoutError) {
    return fault("timeout", error);
  }
  if (error instanceof APIConnectionError) {
    return fault(isPrivateAddress(error.cause) ? "address" : "unreachable", error);
  }
  // A body that is no JSON, or no JSON of this API.
  return error instanceof APIError ? fault(faultOfStatus(error), error) : fault("answer", error);
}

/** Codes that say more than a status, where there is none. */
const faultOfCode: Readonly<Record<string, LanguageModelFault>> = {
  invalid_api_key: "key",
  insufficient_quota: "quota",
  rate_limit_exceeded: "limit",
  model_not_found: "model",
};

const errorBody = z.object({
  error: z.union([
    z.string().transform((message) => ({ message, code: null })),
    z.object({ message: z.string().catch(""), code: z.union([z.number(), z.string()]).nullish().catch(null) }),
  ]),
});

/** The fault of an answer with the status of a success that is an error; undefined where it is none. */
export function faultOfBody(body: unknown, secret: string | null): LanguageModelError | undefined {
  const { data } = errorBody.safeParse(body);
  if (!data) {
    return undefined;
  }
  const { message, code } = data.error;
  const kind = typeof code === "number" ? faultOfStatus({ status: code }) : (faultOfCode[code ?? ""] ?? "service");
  return faultWith(kind, new Error(message), secret);
}

function faultOfStatus({
  status = 0,
  code,
}: {
  status?: number | undefined;
  code?: string | null | undefined;
}): LanguageModelFault {
  if (status === 401 || status === 403) {
    return "key";
  }
  if (status === 404) {
    return code === "model_not_found" || code === "not_found" ? "model" : "address";
  }
  if (status === 429) {
    return code === "insufficient_quota" ? "quota" : "limit";
  }
  if (status === 402) {
    return "quota";
  }
  if (status === 408 || status === 409) {
    return "service";
  }
  if (status >= 300 && status < 400) {
    return "address";
  }
  if (status >= 500) {
    return "service";
  }
  return code === "model_not_found" ? "model" : "request";
}

function faultWith(kind: LanguageModelFault, cause: unknown, secret: string | null): LanguageModelError {
  const said = cause instanceof Error ? cause.message : kind;
  const message = secret ? said.replaceAll(secret, "…") : said;
  return new LanguageModelError(kind, truncateText(message, maxMessage), { retryAfterMs: retryAfterOf(cause) });
}

function retryAfterOf(cause: unknown): number | undefined {
  const headers: unknown = cause instanceof APIError ? cause.headers : undefined;
  return headers instanceof Headers ? retryAfterMs(headers.get("retry-after"), new Date()) : undefined;
}

function isPrivateAddress(cause: unknown): boolean {
  return cause instanceof PrivateAddressError;
}

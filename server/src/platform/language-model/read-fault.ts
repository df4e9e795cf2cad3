import type { LanguageModelFault } from "@prosa/contract";
import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from "openai";
import { PrivateAddressError } from "../net/index.ts";
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

function faultOfStatus({ status = 0, code }: APIError): LanguageModelFault {
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
  return new LanguageModelError(kind, truncateText(message, maxMessage));
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === "TimeoutError";
}

function isPrivateAddress(cause: unknown): boolean {
  return cause instanceof PrivateAddressError;
}

/**
 * Why a language model gave no answer. `key`: the key is missing, wrong, or may not do this; `model`: there is no such model, or
 * it takes no such request; `limit`: too many requests or tokens for now; `quota`: the account has no credit left; `address`: no
 * service of this kind there, or a private one; `unreachable`: no connection; `timeout`; `service`: the service failed; `answer`: it
 * answered with something else than its API says; `request`: it refuses this request.
 */
export const languageModelFaults = [
  "key",
  "model",
  "limit",
  "quota",
  "address",
  "unreachable",
  "timeout",
  "service",
  "answer",
  "request",
] as const;
export type LanguageModelFault = (typeof languageModelFaults)[number];

/** Faults that the same request a little later may not have. */
const passing: ReadonlySet<LanguageModelFault> = new Set(["limit", "unreachable", "timeout", "service", "answer"]);

/** A call that gave no answer. Its message may be what the service said: for logs, not for customers. */
export class LanguageModelError extends Error {
  override readonly name = "LanguageModelError";
  readonly fault: LanguageModelFault;

  constructor(fault: LanguageModelFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }

  /** Whether a retry can help. */
  get canRetry(): boolean {
    return passing.has(this.fault);
  }
}

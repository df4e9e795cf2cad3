import type { LanguageModelFault } from "@prosa/contract";

/** Faults that the same request a little later may not have. */
const passing: ReadonlySet<LanguageModelFault> = new Set(["limit", "unreachable", "timeout", "service", "answer"]);

/** A call that gave no answer. Its message may be what the service said: for logs, not for customers. */
export class LanguageModelError extends Error {
  override readonly name = "LanguageModelError";
  readonly fault: LanguageModelFault;
  /** The service asks to be left in peace for so long (ms). */
  readonly retryAfterMs: number | undefined;

  constructor(
    fault: LanguageModelFault,
    message: string,
    { retryAfterMs, ...options }: ErrorOptions & { readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options);
    this.fault = fault;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether a retry can help. */
  get canRetry(): boolean {
    return passing.has(this.fault);
  }
}

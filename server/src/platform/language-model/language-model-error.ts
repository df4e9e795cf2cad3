import type { LanguageModelFault } from "@prosa/contract";

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

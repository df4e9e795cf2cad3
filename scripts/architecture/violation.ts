/** A place in the sources that breaks a rule. */
export interface Violation {
  readonly rule: string;
  /** Relative to the project. */
  readonly file: string;
  /** What was found there, and what the rule wants instead. */
  readonly message: string;
}

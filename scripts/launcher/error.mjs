/** A failure with a sentence that tells a person what to do; shown without a stack. */
export class LaunchError extends Error {
  /** @override */
  name = "LaunchError";
}

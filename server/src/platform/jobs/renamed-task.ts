import { isOlder, thisRelease } from "../release.ts";

/**
 * A task that had another name in the releases before `since`. Its jobs are run under either name, and enqueued under
 * the former one as long as a release that knows no other may run beside this one (decision 0139).
 */
export interface RenamedTask {
  readonly name: string;
  readonly formerName: string;
  /** The first release that knows the name. */
  readonly since: string;
  /** For `ctx.enqueue`. */
  readonly enqueuedAs: string;
}

/** `worksBeside` is the oldest release that may run beside this one. */
export function renamedTask(
  name: string,
  { formerName, since }: Pick<RenamedTask, "formerName" | "since">,
  worksBeside: string = thisRelease.worksBeside,
): RenamedTask {
  return { name, formerName, since, enqueuedAs: isOlder(worksBeside, since) ? formerName : name };
}

/** The name in this release of what a row of `jobs` calls by either name. */
export function currentTaskName(renamed: readonly RenamedTask[], stored: string): string {
  return renamed.find(({ formerName }) => formerName === stored)?.name ?? stored;
}

import { AppError } from "#server/platform/ctx.ts";

/** What other nouns may name beside queues. */
interface Named {
  readonly fileListId?: number | null | undefined;
}

/**
 * No company has file lists yet: whoever names one names what is not there (ERR_NOT_FOUND). The feature that brings
 * them looks here for the company's own instead.
 */
export function refuseReferences({ fileListId }: Named): void {
  if (fileListId != null) {
    throw new AppError("ERR_NOT_FOUND", { fileListId });
  }
}

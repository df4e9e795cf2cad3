import { AppError } from "#server/platform/ctx.ts";

/** What other nouns may name beside queues. */
interface Named {
  readonly promptId?: number | null | undefined;
  readonly integrationId?: number | null | undefined;
  readonly fileListId?: number | null | undefined;
}

/**
 * No company has prompts, integrations or file lists yet: whoever names one names what is not there (ERR_NOT_FOUND).
 * The feature that brings one looks here for the company's own instead.
 */
export function refuseReferences({ promptId, integrationId, fileListId }: Named): void {
  const [unknown] = Object.entries({ promptId, integrationId, fileListId }).filter(([, id]) => id != null);
  if (unknown) {
    throw new AppError("ERR_NOT_FOUND", Object.fromEntries([unknown]));
  }
}

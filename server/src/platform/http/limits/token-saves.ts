import { enforceSharedLimit } from "./shared-rate-limit.ts";
import type { LimitDeps } from "./shared-rate-limit.ts";

/** API tokens that a company saves. The refusal of one that somebody has already would otherwise let it try out others'. */
const tokenSaves = { max: 20, perSeconds: 3_600 };

/** Counts the saving of an API token of one's choice. Throws ERR_TOO_MANY_REQUESTS. */
export async function limitTokenSaves(
  services: LimitDeps,
  companyId: number,
  token: string | null | undefined,
): Promise<void> {
  if (token) {
    await enforceSharedLimit(services, `token-saves:${companyId}`, tokenSaves);
  }
}

import { AppError } from "../ctx.ts";
import { hashSecret } from "./tokens.ts";

/**
 * The column of an API token that somebody saves (`newToken` of the contract, decision 0149): its hash, null where it is
 * removed, undefined where it stays.
 */
export function tokenHashOf(token: string | null | undefined): string | null | undefined {
  return token ? hashSecret(token) : token === null ? null : undefined;
}

/** The answer to saving a token: only there it is said again, because what is stored is its hash. */
export function withToken<T extends object>(view: T, token: string | null | undefined): T & { token?: string } {
  return token ? { ...view, token } : view;
}

/** The refusal of a token that somebody has already; `cause` is the violated unique constraint. */
export function tokenTaken(cause: unknown): AppError {
  return new AppError("ERR_VALIDATION", { fields: { token: "Already in use" } }, { cause });
}

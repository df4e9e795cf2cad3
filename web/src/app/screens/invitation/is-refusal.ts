import { ApiError } from "#web/lib/api/apiError.ts";

/** Pure: is it the link that is refused, for good? Otherwise another attempt may open it: no answer, a server in trouble, too many calls. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

import type { CompanySupport, SupportState } from "@prosa/contract";
import type { OpenGrantRow } from "./support.queries.ts";

/** What a person of the company sees; requests are for those who may accept them. */
export function supportStateView(
  open: readonly OpenGrantRow[],
  present: readonly { readonly name: string; readonly since: Date }[],
  seesRequests: boolean,
): SupportState {
  const grant = open.find(({ until }) => until !== null);
  const request = seesRequests ? open.find(({ until }) => until === null) : undefined;
  return {
    grant:
      grant?.granted_at && grant.until
        ? {
            id: grant.id,
            by: grant.granted_by_name ?? "",
            grantedAt: grant.granted_at.toISOString(),
            until: grant.until.toISOString(),
          }
        : null,
    request: request?.asked_at
      ? {
          id: request.id,
          by: request.asked_by_name ?? "",
          reason: request.reason,
          at: request.asked_at.toISOString(),
        }
      : null,
    present: present.map(({ name, since }) => ({ name, since: since.toISOString() })),
  };
}

/** What the operator sees of the company. */
export function companySupportView(open: readonly OpenGrantRow[]): CompanySupport {
  const until = open.find((row) => row.until !== null)?.until;
  return { state: until ? "allowed" : open.length > 0 ? "asked" : "none", until: until?.toISOString() ?? null };
}

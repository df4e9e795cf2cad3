import type { CampaignSettings } from "../campaigns.api.ts";

/**
 * What was changed, the variables as they were before it, and as the saves since then have sent them without a good answer: the server
 * may have these.
 */
interface Edit {
  readonly changes: Partial<CampaignSettings>;
  readonly opened: CampaignSettings["variables"];
  readonly sent: readonly CampaignSettings["variables"][];
}

export const untouched: Edit = { changes: {}, opened: [], sent: [] };

/**
 * Pure: the edit when its changes `saved` were stored. What was changed meanwhile stays, on top of the variables that were sent: from now
 * on a colleague's change of these is no longer this form's. Not on top of the answer's, which may hold such a change unseen here.
 */
export function afterSave(now: Edit, saved: Edit["changes"]): Edit {
  return now.changes === saved ? untouched : { ...now, opened: saved.variables ?? now.opened, sent: [] };
}

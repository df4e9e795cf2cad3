import { isBlank } from "@prosa/contract/blank";
import { AppError } from "#server/platform/ctx.ts";
import type { StoredCampaign } from "../campaigns.queries.ts";

type Content = Pick<
  StoredCampaign,
  "confirmation" | "messages" | "confirmation_messages" | "media_path" | "file_list_id" | "contact_list_id" | "tag_id"
>;

/**
 * ERR_VALIDATION with the fields that a campaign lacks to be sent: something to say, a line and people. `message`: only what is
 * said.
 */
export function requireComplete(
  campaign: Content,
  connectionIds: readonly number[],
  what: "all" | "message" = "all",
): void {
  const fields = missingFields(campaign, connectionIds, what);
  if (Object.keys(fields).length > 0) {
    throw new AppError("ERR_VALIDATION", { fields });
  }
}

/** Has a campaign all that it needs to be sent? */
export function isComplete(campaign: Content, connectionIds: readonly number[]): boolean {
  return Object.keys(missingFields(campaign, connectionIds, "all")).length === 0;
}

function missingFields(campaign: Content, connectionIds: readonly number[], what: "all" | "message") {
  const { confirmation, media_path, file_list_id, contact_list_id, tag_id } = campaign;
  const isSilent = media_path === null && file_list_id === null && !hasText(campaign.messages);
  return {
    ...(isSilent && { message1: "Nothing to send" }),
    ...(confirmation && !hasText(campaign.confirmation_messages) && { confirmationMessage1: "Required" }),
    ...(what === "all" && connectionIds.length === 0 && { whatsappId: "Required" }),
    ...(what === "all" && contact_list_id === null && tag_id === null && { contactListId: "Required" }),
  };
}

function hasText(texts: readonly string[]): boolean {
  return texts.some((text) => !isBlank(text));
}

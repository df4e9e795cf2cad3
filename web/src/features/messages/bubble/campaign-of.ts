import type { Message } from "@prosa/contract/messages";

export interface CampaignOfMessage {
  readonly id: number;
  readonly name: string;
}

/** The campaign that sent a message; undefined for every other message. */
export function campaignOf(message: Partial<Pick<Message, "data">>): CampaignOfMessage | undefined {
  const found = message.data?.campaign;
  const isCampaign = typeof found === "object" && found !== null && "id" in found && "name" in found;
  return isCampaign && typeof found.id === "number" ? { id: found.id, name: String(found.name) } : undefined;
}

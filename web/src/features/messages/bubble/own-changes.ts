import { messageRules, type Message } from "@prosa/contract/messages";

type Facts = Pick<Message, "fromMe" | "ack" | "mediaType" | "createdAt">;

/** May an own message be edited, as the server sees it? Also one that waits for its line: it is sent with its new text. `now` in ms. */
export function isEditable({ fromMe, ack, mediaType, createdAt }: Facts, now: number): boolean {
  return fromMe && ack >= 0 && mediaType === "chat" && now - Date.parse(createdAt) < messageRules.editWithinMs;
}

/** May it be deleted for everyone? One that waits for its line, or failed, is then not sent at all. `now` in ms. */
export function isRemovable({ fromMe, createdAt }: Facts, now: number): boolean {
  return fromMe && now - Date.parse(createdAt) < messageRules.deleteWithinMs;
}

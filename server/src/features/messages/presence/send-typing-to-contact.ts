import type { SocketUser } from "#server/platform/realtime/index.ts";
import type { Services } from "#server/platform/services.ts";
import { findAddress } from "../messages.queries.ts";
import { lineTypingEvent } from "./ephemeral-events.ts";
import type { PresenceTicket } from "./presence.queries.ts";
import type { PresenceTiming } from "./presence.state.ts";

/** Phones show "typing" for longer than this, so it is not repeated more often (ms). */
const REPEAT_EVERY_MS = 4_000;

/** Shows the contact that a user types: repeated at most every 4 s, and ended `timing.typing` after the last keystroke. */
export function createContactTypingSender({ pubsub, log }: Services, timing: PresenceTiming) {
  const typing = new Map<string, { readonly sentAt: number; expiry: NodeJS.Timeout }>();

  return async function sendTypingToContact(
    user: SocketUser,
    ticketId: number,
    { connectionId, contactId }: PresenceTicket,
    isTyping: boolean,
  ): Promise<void> {
    const { companyId } = user.actor;
    const key = `${companyId}:${ticketId}`;
    const previous = typing.get(key);
    const isDue = isTyping ? !previous || Date.now() - previous.sentAt > REPEAT_EVERY_MS : previous !== undefined;
    clearTimeout(previous?.expiry);
    if (connectionId === null) {
      return;
    }

    const publish = async (isStillTyping: boolean): Promise<void> => {
      const chat = await user.read((ctx) => findAddress(ctx, connectionId, contactId));
      if (chat) {
        pubsub.publish(companyId, lineTypingEvent.topic, key, { connectionId, chat, isTyping: isStillTyping });
      }
    };
    if (isTyping) {
      const expiry = setTimeout(() => {
        typing.delete(key);
        publish(false).catch((error: unknown) => log.debug({ err: error }, "typing not published to the line"));
      }, timing.typing).unref();
      typing.set(key, { sentAt: isDue ? Date.now() : (previous?.sentAt ?? 0), expiry });
    } else {
      typing.delete(key);
    }
    if (isDue) {
      await publish(isTyping);
    }
  };
}

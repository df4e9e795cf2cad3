import { randomBytes } from "node:crypto";
import { wireName } from "@prosa/contract";
import { z } from "zod";
import { canAct, conversationRooms } from "#server/features/tickets/index.ts";
import type { EphemeralFeature, EphemeralSockets, SocketUser } from "#server/platform/realtime/index.ts";
import type { Services } from "#server/platform/services.ts";
import { contactTypingEvent, userTypingEvent, viewersEvent, viewersRequestEvent } from "./ephemeral-events.ts";
import { findPresenceTicket } from "./presence.queries.ts";
import {
  emptyPresence,
  isEmpty,
  nextExpiry,
  presenceTiming,
  toPresencePayload,
  withContactTyping,
  withoutExpired,
  withUserTyping,
  withViewers,
} from "./presence.state.ts";
import type { ConversationPresence, PresenceTiming } from "./presence.state.ts";
import { createContactTypingSender } from "./send-typing-to-contact.ts";

/** The presence of one conversation is published at most this often (ms). */
const PUBLISH_EVERY_MS = 100;

interface Conversation {
  readonly companyId: number;
  readonly ticketId: number;
  presence: ConversationPresence;
  /** The last published payload as JSON: an equal one is not published again. */
  published: string;
  publishTimer: NodeJS.Timeout | undefined;
  expiryTimer: NodeJS.Timeout | undefined;
}

/**
 * The presence in conversations: who has one open, who types in it, and that the contact types. Nothing is stored. Each process
 * publishes the viewers among its own sockets to the other processes, merges what they publish, and sends the result to its own
 * sockets. The rooms are read each time, so that sockets which lost the right to see the ticket get nothing (N-06).
 */
export function createPresence(services: Services, timing: PresenceTiming = presenceTiming) {
  const { db, pubsub, log } = services;
  const thisProcess = randomBytes(6).toString("hex");

  return function presence(sockets: EphemeralSockets): EphemeralFeature {
    const conversations = new Map<string, Conversation>();
    const sendTypingToContact = createContactTypingSender(services, timing);
    const cleanups: (() => void)[] = [];

    function getConversation(companyId: number, ticketId: number): Conversation {
      const key = `${companyId}:${ticketId}`;
      const conversation = conversations.get(key) ?? {
        companyId,
        ticketId,
        presence: emptyPresence,
        published: "",
        publishTimer: undefined,
        expiryTimer: undefined,
      };
      conversations.set(key, conversation);
      return conversation;
    }

    function hasOwnViewers(companyId: number, ticketId: number): boolean {
      return conversations.get(`${companyId}:${ticketId}`)?.presence.byProcess.has(thisProcess) ?? false;
    }

    function update(
      companyId: number,
      ticketId: number,
      change: (presence: ConversationPresence) => ConversationPresence,
    ): void {
      const conversation = getConversation(companyId, ticketId);
      conversation.presence = change(conversation.presence);
      conversation.publishTimer ??= publishIn(conversation, PUBLISH_EVERY_MS);
    }

    function publishIn(conversation: Conversation, ms: number): NodeJS.Timeout {
      return setTimeout(() => void publishToSockets(conversation).catch(logFailure), ms).unref();
    }

    async function publishToSockets(conversation: Conversation): Promise<void> {
      const { companyId, ticketId } = conversation;
      conversation.publishTimer = undefined;
      clearTimeout(conversation.expiryTimer);
      const now = Date.now();
      conversation.presence = withoutExpired(conversation.presence, now);
      const expiry = nextExpiry(conversation.presence, now);
      conversation.expiryTimer = expiry === undefined ? undefined : publishIn(conversation, expiry - now + 1);
      if (isEmpty(conversation.presence)) {
        conversations.delete(`${companyId}:${ticketId}`);
      }

      const payload = toPresencePayload(conversation.presence, ticketId, now);
      const text = JSON.stringify(payload);
      if (text === conversation.published) {
        return;
      }
      conversation.published = text;
      const ticket = await findPresenceTicket(db, companyId, ticketId);
      const rooms = ticket ? conversationRooms(ticketId, ticket) : [];
      await sockets.publish(companyId, [{ rooms, event: wireName(companyId, "ticketPresence"), payload }]);
    }

    /** Publishes the viewers among this process's sockets; with the first one, requests those of the other processes. */
    async function publishViewers(companyId: number, ticketId: number): Promise<void> {
      const ticket = await findPresenceTicket(db, companyId, ticketId);
      const rooms = ticket ? conversationRooms(ticketId, ticket) : [];
      const viewers = sockets.usersIn(companyId, rooms).map(({ userId, name }) => ({ id: userId, name }));
      const hadViewers = hasOwnViewers(companyId, ticketId);
      const key = `${thisProcess} ${ticketId}`;
      if (viewers.length > 0 || hadViewers) {
        pubsub.publish(companyId, viewersEvent.topic, key, { process: thisProcess, ticketId, viewers });
      }
      if (viewers.length > 0 && !hadViewers) {
        pubsub.publish(companyId, viewersRequestEvent.topic, key, { process: thisProcess, ticketId });
      }
    }

    function logFailure(error: unknown): void {
      log.debug({ err: error }, "presence not published");
    }

    function handleJoinOrLeave(companyId: number, ticketId: number): void {
      // A new viewer needs the presence even if it has not changed since it was published.
      getConversation(companyId, ticketId).published = "";
      update(companyId, ticketId, (current) => current);
      void publishViewers(companyId, ticketId).catch(logFailure);
    }

    /** Repeats the viewers before they expire in the other processes; this also replaces lost events. */
    function republishViewers(): void {
      for (const { companyId, ticketId } of conversations.values()) {
        if (hasOwnViewers(companyId, ticketId)) {
          void publishViewers(companyId, ticketId).catch(logFailure);
        }
      }
    }

    async function handleTyping(user: SocketUser, ...values: readonly unknown[]): Promise<void> {
      const parsed = typingArguments.safeParse(values);
      if (!parsed.success) {
        return;
      }
      const [ticketId, isTyping] = parsed.data;
      const { actor } = user;
      const { companyId, userId } = actor;
      const ticket = await findPresenceTicket(db, companyId, ticketId);
      const isInRoom =
        ticket !== undefined &&
        sockets.usersIn(companyId, conversationRooms(ticketId, ticket)).some((one) => one.userId === userId);
      if (!isInRoom) {
        return;
      }
      pubsub.publish(companyId, userTypingEvent.topic, `${userId} ${ticketId}`, { ticketId, userId, isTyping });
      if (ticket.status === "open" && canAct(actor, ticket)) {
        await sendTypingToContact(user, ticketId, ticket, isTyping);
      }
    }

    return {
      onRoomsChanged(companyId, name, argument) {
        const ticketId = Number(argument);
        if (name === "joinChatBox" && Number.isInteger(ticketId) && ticketId > 0) {
          handleJoinOrLeave(companyId, ticketId);
        }
      },
      clientEvents: { typing: handleTyping },
      start() {
        const heartbeat = setInterval(republishViewers, timing.process * 0.4).unref();
        const until = (isTyping: boolean, ms: number) => (isTyping ? Date.now() + ms : 0);
        cleanups.push(
          pubsub.subscribe(viewersEvent.topic, viewersEvent.shape, (companyId, { process, ticketId, viewers }) =>
            update(companyId, ticketId, (current) =>
              withViewers(current, process, viewers, Date.now() + timing.process),
            ),
          ),
          pubsub.subscribe(userTypingEvent.topic, userTypingEvent.shape, (companyId, { ticketId, userId, isTyping }) =>
            update(companyId, ticketId, (current) => withUserTyping(current, userId, until(isTyping, timing.typing))),
          ),
          pubsub.subscribe(contactTypingEvent.topic, contactTypingEvent.shape, (companyId, { ticketId, isTyping }) =>
            update(companyId, ticketId, (current) => withContactTyping(current, until(isTyping, timing.contactTyping))),
          ),
          pubsub.subscribe(viewersRequestEvent.topic, viewersRequestEvent.shape, (companyId, { process, ticketId }) => {
            if (process !== thisProcess && hasOwnViewers(companyId, ticketId)) {
              void publishViewers(companyId, ticketId).catch(logFailure);
            }
          }),
          () => clearInterval(heartbeat),
        );
      },
      stop() {
        cleanups.forEach((cleanup) => cleanup());
        for (const { publishTimer, expiryTimer } of conversations.values()) {
          clearTimeout(publishTimer);
          clearTimeout(expiryTimer);
        }
      },
    };
  };
}

const typingArguments = z.tuple([z.number().int().positive().max(2_147_483_647), z.boolean()]);

import { randomBytes } from "node:crypto";
import { wireName } from "@prosa/contract";
import { z } from "zod";
import { canAct, conversationRooms } from "#server/features/tickets/index.ts";
import type { Live, LiveSockets, SocketUser } from "#server/platform/realtime/index.ts";
import type { Services } from "#server/platform/services.ts";
import { findAddress } from "../messages.queries.ts";
import { askFact, contactFact, lineFact, typingFact, viewersFact } from "./ephemeral-events.ts";
import { findPlace } from "./presence.queries.ts";
import type { PresencePlace } from "./presence.queries.ts";
import {
  contactTyped,
  current,
  isDeserted,
  nextEnd,
  nobody,
  pictureOf,
  presenceTiming,
  seen,
  typed,
} from "./presence.state.ts";
import type { Here, PresenceTiming } from "./presence.state.ts";

/** A picture is told at most this often for one conversation (ms). */
const SHOW_EVERY_MS = 100;
/** The contact's phone shows "typing" for longer than this: no need to say it more often (ms). */
const CONTACT_EVERY_MS = 4_000;

interface Conversation {
  readonly companyId: number;
  readonly ticketId: number;
  here: Here;
  /** As it was shown last, so that nothing is told twice. */
  shown: string;
  due: NodeJS.Timeout | undefined;
  end: NodeJS.Timeout | undefined;
}

/**
 * Who else is here: who looks at a conversation, who writes in it, and that the contact writes. Nothing of it is
 * stored; each process tells the others what it sees through its own sockets, and each tells its own sockets the sum.
 * Told to the conversation's room as it is now, so that who may not see the ticket hears nothing (N-06).
 */
export function createPresence(services: Services, timing: PresenceTiming = presenceTiming) {
  const { db, pubsub, log } = services;
  const me = randomBytes(6).toString("hex");

  return function presence(sockets: LiveSockets): Live {
    const conversations = new Map<string, Conversation>();
    const tellContact = createContactTelling(services, timing);
    const endings: (() => void)[] = [];

    function conversation(companyId: number, ticketId: number): Conversation {
      const key = `${companyId}:${ticketId}`;
      const known = conversations.get(key) ?? {
        companyId,
        ticketId,
        here: nobody,
        shown: "",
        due: undefined,
        end: undefined,
      };
      conversations.set(key, known);
      return known;
    }

    function change(companyId: number, ticketId: number, to: (here: Here) => Here): void {
      const room = conversation(companyId, ticketId);
      room.here = to(room.here);
      room.due ??= setTimeout(() => void show(room).catch(lost), SHOW_EVERY_MS).unref();
    }

    async function show(room: Conversation): Promise<void> {
      const { companyId, ticketId } = room;
      room.due = undefined;
      clearTimeout(room.end);
      const now = Date.now();
      room.here = current(room.here, now);
      const end = nextEnd(room.here, now);
      room.end = end === undefined ? undefined : setTimeout(() => void show(room).catch(lost), end - now + 1).unref();
      if (isDeserted(room.here)) {
        conversations.delete(`${companyId}:${ticketId}`);
      }

      const picture = pictureOf(room.here, ticketId, now);
      const text = JSON.stringify(picture);
      if (text === room.shown) {
        return;
      }
      room.shown = text;
      const place = await findPlace(db, companyId, ticketId);
      const rooms = place ? conversationRooms(ticketId, place) : [];
      await sockets.tell(companyId, [{ rooms, event: wireName(companyId, "presence"), payload: picture }]);
    }

    /** Looks who is there through our sockets, and tells everybody. */
    async function count(companyId: number, ticketId: number): Promise<void> {
      const place = await findPlace(db, companyId, ticketId);
      const rooms = place ? conversationRooms(ticketId, place) : [];
      const viewers = sockets.usersIn(companyId, rooms).map(({ userId, name }) => ({ id: userId, name }));
      const wasHere = conversations.get(`${companyId}:${ticketId}`)?.here.byProcess.has(me) ?? false;
      if (viewers.length > 0 || wasHere) {
        pubsub.publish(companyId, viewersFact.topic, `${me} ${ticketId}`, { process: me, ticketId, viewers });
      }
      if (viewers.length > 0 && !wasHere) {
        pubsub.publish(companyId, askFact.topic, `${me} ${ticketId}`, { process: me, ticketId });
      }
    }

    function lost(error: unknown): void {
      log.debug({ err: error }, "who is here could not be told");
    }

    function recount(companyId: number, ticketId: number): void {
      // Whoever has just come is to see the picture, even where it has not changed.
      conversation(companyId, ticketId).shown = "";
      change(companyId, ticketId, (here) => here);
      void count(companyId, ticketId).catch(lost);
    }

    /** Says again what may have been lost, and forgets nobody who is still here. */
    function renew(): void {
      for (const { companyId, ticketId, here } of conversations.values()) {
        if (here.byProcess.has(me)) {
          void count(companyId, ticketId).catch(lost);
        }
      }
    }

    async function hearTyping(user: SocketUser, ...values: readonly unknown[]): Promise<void> {
      const said = typingWords.safeParse(values);
      if (!said.success) {
        return;
      }
      const [ticketId, isTyping] = said.data;
      const { actor } = user;
      const { companyId, userId } = actor;
      const place = await findPlace(db, companyId, ticketId);
      const isInRoom =
        place !== undefined &&
        sockets.usersIn(companyId, conversationRooms(ticketId, place)).some((one) => one.userId === userId);
      if (!isInRoom) {
        return;
      }
      pubsub.publish(companyId, typingFact.topic, `${userId} ${ticketId}`, { ticketId, userId, isTyping });
      if (place.status === "open" && canAct(actor, place)) {
        await tellContact(user, ticketId, place, isTyping);
      }
    }

    return {
      onMoved(companyId, name, argument) {
        const ticketId = Number(argument);
        if (name === "joinChatBox" && Number.isInteger(ticketId) && ticketId > 0) {
          recount(companyId, ticketId);
        }
      },
      says: { typing: hearTyping },
      start() {
        const heartbeat = setInterval(renew, timing.process * 0.4).unref();
        endings.push(
          pubsub.subscribe(viewersFact.topic, viewersFact.shape, (companyId, { process, ticketId, viewers }) =>
            change(companyId, ticketId, (here) => seen(here, process, viewers, Date.now() + timing.process)),
          ),
          pubsub.subscribe(typingFact.topic, typingFact.shape, (companyId, { ticketId, userId, isTyping }) =>
            change(companyId, ticketId, (here) => typed(here, userId, isTyping ? Date.now() + timing.typing : 0)),
          ),
          pubsub.subscribe(contactFact.topic, contactFact.shape, (companyId, { ticketId, isTyping }) =>
            change(companyId, ticketId, (here) => contactTyped(here, isTyping ? Date.now() + timing.contactTyping : 0)),
          ),
          pubsub.subscribe(askFact.topic, askFact.shape, (companyId, { process, ticketId }) => {
            if (process !== me && conversations.get(`${companyId}:${ticketId}`)?.here.byProcess.has(me)) {
              void count(companyId, ticketId).catch(lost);
            }
          }),
          () => clearInterval(heartbeat),
        );
      },
      stop() {
        endings.forEach((end) => end());
        for (const { due, end } of conversations.values()) {
          clearTimeout(due);
          clearTimeout(end);
        }
      },
    };
  };
}

const typingWords = z.tuple([z.number().int().positive().max(2_147_483_647), z.boolean()]);

/** Lets the contact see that we write: not too often, and not for longer than we do. */
function createContactTelling({ pubsub, log }: Services, timing: PresenceTiming) {
  const writing = new Map<string, { readonly since: number; end: NodeJS.Timeout }>();

  return async function tellContact(
    user: SocketUser,
    ticketId: number,
    { connectionId, contactId }: PresencePlace,
    isTyping: boolean,
  ): Promise<void> {
    const { companyId } = user.actor;
    const key = `${companyId}:${ticketId}`;
    const known = writing.get(key);
    const isNews = isTyping ? !known || Date.now() - known.since > CONTACT_EVERY_MS : known !== undefined;
    clearTimeout(known?.end);
    if (connectionId === null) {
      return;
    }

    const tell = async (now: boolean): Promise<void> => {
      const chat = await user.read((ctx) => findAddress(ctx, connectionId, contactId));
      if (chat) {
        pubsub.publish(companyId, lineFact.topic, key, { connectionId, chat, isTyping: now });
      }
    };
    if (isTyping) {
      const end = setTimeout(() => {
        writing.delete(key);
        tell(false).catch((error: unknown) => log.debug({ err: error }, "the contact could not be told"));
      }, timing.typing).unref();
      writing.set(key, { since: isNews ? Date.now() : (known?.since ?? 0), end });
    } else {
      writing.delete(key);
    }
    if (isNews) {
      await tell(isTyping);
    }
  };
}

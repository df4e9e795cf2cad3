import type { Lines } from "#server/features/connections/index.ts";
import type { BackgroundService } from "#server/platform/feature.ts";
import type { Services } from "#server/platform/services.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";
import { contactTypingEvent, lineTypingEvent } from "./ephemeral-events.ts";
import { findTicketOfPerson } from "./presence.queries.ts";

/** What the typing state needs of the lines. */
export type TypingLines = Pick<Lines, "find" | "onTyping">;

/** Runs in the process that owns a line: publishes that a contact types, and sends to WhatsApp that a user does. Stores nothing. */
export function createLineTyping(services: Services, lines: TypingLines): BackgroundService {
  const { pubsub, db, log, clock } = services;
  let stop = (): unknown => undefined;

  async function publishContactTyping(
    companyId: number,
    connectionId: number,
    person: PersonRef,
    isTyping: boolean,
  ): Promise<void> {
    const actor = { kind: "line", companyId, connectionId } as const;
    const ticketId = await db.read({ actor, companyId, log, clock }, (ctx) =>
      findTicketOfPerson(ctx, connectionId, person),
    );
    if (ticketId !== undefined) {
      pubsub.publish(companyId, contactTypingEvent.topic, String(ticketId), { ticketId, isTyping });
    }
  }

  return {
    name: "typing",
    role: "lines",
    async start() {
      lines.onTyping((companyId, connectionId, person, isTyping) => {
        publishContactTyping(companyId, connectionId, person, isTyping).catch((error: unknown) =>
          log.debug({ err: error, line: connectionId }, "contact typing not published"),
        );
      });
      stop = pubsub.subscribe(lineTypingEvent.topic, lineTypingEvent.shape, (_, { connectionId, chat, isTyping }) => {
        lines
          .find(connectionId)
          ?.setTyping(chat, isTyping)
          .catch((error: unknown) => log.debug({ err: error, line: connectionId }, "typing not sent to WhatsApp"));
      });
    },
    async stop() {
      stop();
    },
  };
}

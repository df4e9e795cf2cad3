import type { Lines } from "#server/features/connections/index.ts";
import type { Part } from "#server/platform/feature.ts";
import type { Services } from "#server/platform/services.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";
import { contactFact, lineFact } from "./ephemeral-events.ts";
import { findTicketOfPerson } from "./presence.queries.ts";

/** What of the lines is needed to see a contact write, and to be seen. */
export type TypingLines = Pick<Lines, "find" | "onTyping">;

/** The line's owner carries "is typing" both ways; nothing of it is stored. */
export function typingPart(services: Services, lines: TypingLines): Part {
  const { pubsub, db, log, clock } = services;
  let stop = (): unknown => undefined;

  async function tell(companyId: number, connectionId: number, person: PersonRef, isTyping: boolean): Promise<void> {
    const actor = { kind: "line", companyId, connectionId } as const;
    const ticketId = await db.read({ actor, companyId, log, clock }, (ctx) =>
      findTicketOfPerson(ctx, connectionId, person),
    );
    if (ticketId !== undefined) {
      pubsub.publish(companyId, contactFact.topic, String(ticketId), { ticketId, isTyping });
    }
  }

  return {
    name: "typing",
    role: "lines",
    async start() {
      lines.onTyping((companyId, connectionId, person, isTyping) => {
        tell(companyId, connectionId, person, isTyping).catch((error: unknown) =>
          log.debug({ err: error }, "a contact who types could not be told"),
        );
      });
      stop = pubsub.subscribe(lineFact.topic, lineFact.shape, (_, { connectionId, chat, isTyping }) => {
        lines
          .find(connectionId)
          ?.setTyping(chat, isTyping)
          .catch((error: unknown) => log.debug({ err: error, line: connectionId }, "typing could not be shown"));
      });
    },
    async stop() {
      stop();
    },
  };
}

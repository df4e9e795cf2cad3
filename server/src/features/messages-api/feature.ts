import { checkNumberByLine } from "#server/features/contacts/index.ts";
import type { CheckNumber, ContactResolver } from "#server/features/contacts/index.ts";
import { linesOf } from "#server/features/connections/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { apiMessageData } from "./erase-requests.queries.ts";
import { tokenLoader } from "./load-token.ts";
import { SEND_HELD_TASK, sendHeld } from "./messages-api.jobs.ts";
import { findWaitingFiles, pruneRequests } from "./messages-api.queries.ts";
import { messagesApiRoutes } from "./messages-api.routes.ts";

interface MessagesApiOptions {
  readonly contacts: ContactResolver;
  /** A test replaces the line's answer. */
  readonly checkNumber?: CheckNumber;
}

/** `contacts` finds and creates the contact behind a number; it lies in the feature that owns all that a contact has. */
export const messagesApiFeature = ({ contacts, checkNumber }: MessagesApiOptions): Feature => ({
  name: "messages-api",
  routes: (api) =>
    messagesApiRoutes(api, {
      contacts,
      checkNumber: checkNumber ?? checkNumberByLine(api.services, () => linesOf(api.services)),
    }),
  loadToken: ({ db }) => tokenLoader(db),
  tasks: () => ({ [SEND_HELD_TASK]: sendHeld(contacts) }),
  // What waits refers to files in the folder of the messages that they become.
  files: [{ folder: "messages", referenced: findWaitingFiles }],
  personalData: [apiMessageData],
  crons: ({ db, clock }) => [
    { name: "messages-api.prune", at: { hour: 4, minute: 35 }, run: () => pruneRequests(db, clock.now()) },
  ],
});

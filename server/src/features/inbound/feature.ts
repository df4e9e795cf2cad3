import type { AssistantKinds } from "#server/features/bot/index.ts";
import { linesOf } from "#server/features/connections/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { GROUP_SUBJECT_TASK, fetchGroupSubject } from "./group-subjects.ts";
import { contactResolver } from "./inbound-contact-resolver.ts";
import { createIngest } from "./ingest.ts";
import { PLACEHOLDER_TIMEOUT_TASK, openTicketForPlaceholder } from "./pending-placeholders.ts";
import { REJECT_CALL_TASK, rejectCall } from "./reject-calls.ts";

/** `assistants`: the kinds that may take over a conversation. */
export const inboundFeature = (assistants: AssistantKinds): Feature => ({
  name: "inbound",
  // Before any line starts: it ingests what it receives here.
  backgroundServices(services) {
    linesOf(services).setIngest(
      createIngest({ vault: services.vault, signer: services.signer, contacts: contactResolver, assistants }),
    );
    return [];
  },
  renamedTasks: [REJECT_CALL_TASK, PLACEHOLDER_TIMEOUT_TASK],
  tasks: (services) => ({
    [REJECT_CALL_TASK.name]: rejectCall((id) => linesOf(services).find(id)),
    [PLACEHOLDER_TIMEOUT_TASK.name]: openTicketForPlaceholder,
    [GROUP_SUBJECT_TASK]: fetchGroupSubject((id) => linesOf(services).find(id), contactResolver),
  }),
});

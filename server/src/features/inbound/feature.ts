import { linesOf } from "#server/features/connections/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { contactResolver } from "./contact-resolver.ts";
import { OPEN_PLACEHOLDER_TASK, openTicketForPlaceholder } from "./pending-placeholders.ts";
import { createIngest } from "./ingest.ts";
import { GROUP_SUBJECT_TASK, nameGroup } from "./group-subjects.ts";
import { REJECT_CALL_TASK, rejectCall } from "./reject-calls.ts";

export const feature: Feature = {
  name: "inbound",
  // Before any line starts: what it receives is taken in here.
  parts(services) {
    linesOf(services).setIngest(createIngest({ vault: services.vault, contacts: contactResolver }));
    return [];
  },
  renamedTasks: [REJECT_CALL_TASK, OPEN_PLACEHOLDER_TASK],
  tasks: (services) => ({
    [REJECT_CALL_TASK.name]: rejectCall((id) => linesOf(services).find(id)),
    [OPEN_PLACEHOLDER_TASK.name]: openTicketForPlaceholder,
    [GROUP_SUBJECT_TASK]: nameGroup((id) => linesOf(services).find(id), contactResolver),
  }),
};

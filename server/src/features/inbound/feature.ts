import { linesOf } from "#server/features/connections/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { contactResolver } from "./contact-resolver.ts";
import { OPEN_TASK, openForStub } from "./held-stubs.ts";
import { createIngest } from "./ingest.ts";
import { SUBJECT_TASK, nameGroup } from "./name-groups.ts";
import { REFUSE_TASK, refuseCall } from "./refuse-calls.ts";

export const feature: Feature = {
  name: "inbound",
  // Before any line starts: what it receives is taken in here.
  parts(services) {
    linesOf(services).takeInBy(createIngest({ vault: services.vault, contacts: contactResolver }));
    return [];
  },
  renamedTasks: [REFUSE_TASK, OPEN_TASK],
  tasks: (services) => ({
    [REFUSE_TASK.name]: refuseCall((id) => linesOf(services).find(id)),
    [OPEN_TASK.name]: openForStub,
    [SUBJECT_TASK]: nameGroup((id) => linesOf(services).find(id), contactResolver),
  }),
};

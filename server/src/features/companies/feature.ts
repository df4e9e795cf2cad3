import { wireName } from "@prosa/contract";
import type { Feature, EventWatcher } from "#server/platform/feature.ts";
import { userRoom } from "#server/platform/realtime/index.ts";
import { eraseJob } from "./companies.erase.ts";
import { changedSchema } from "./companies.events.ts";
import { companiesRoutes } from "./companies.routes.ts";

export const feature: Feature = {
  name: "companies",
  routes: companiesRoutes,
  events: () => ({
    "companies.changed": async (batch, { companyId }) => [
      {
        rooms: [...new Set(batch.flatMap(({ payload }) => changedSchema.parse(payload).userIds))].map(userRoom),
        event: wireName(companyId, "company"),
        payload: { action: "changed" },
      },
    ],
  }),
  tasks: (services) => ({ "companies.erase": eraseJob(services) }),
  // Its plan, due date or standing changed: every session of the company is asked again.
  eventWatchers: ({ sessions }) => {
    const askAgain: EventWatcher = ({ companyId }, sockets) => {
      sessions.forgetCompany(companyId);
      sockets.recheckCompany(companyId);
    };
    return { "company.updated": askAgain, "company.deleted": askAgain };
  },
};

import { wireName } from "@prosa/contract";
import { publishPlan } from "#server/features/plans/index.ts";
import type { Feature, EventWatcher } from "#server/platform/feature.ts";
import { everybody, userRoom } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import { eraseJob } from "./companies.erase.ts";
import { companiesChangedSchema } from "./companies.events.ts";
import { findOwnCompany } from "./companies.queries.ts";
import { companiesRoutes } from "./companies.routes.ts";
import { pruneSignUpsCron } from "./sign-up/index.ts";

/** An open page follows what is paid without a reload (its banner, and "active until"), and the time zone of its times. */
const publishOwnCompany: EventHandler = async (_batch, { companyId, read }) => [
  {
    rooms: [everybody],
    event: wireName(companyId, "company"),
    payload: { action: "update", company: await read(findOwnCompany) },
  },
];

export const feature: Feature = {
  name: "companies",
  routes: companiesRoutes,
  events: () => ({
    "company.updated": async (batch, scope) => [
      ...(await publishPlan(batch, scope)),
      ...(await publishOwnCompany(batch, scope)),
    ],
    "companies.changed": async (batch, { companyId }) => [
      {
        rooms: [...new Set(batch.flatMap(({ payload }) => companiesChangedSchema.parse(payload).userIds))].map(
          userRoom,
        ),
        event: wireName(companyId, "company"),
        payload: { action: "changed" },
      },
    ],
  }),
  crons: (services) => [pruneSignUpsCron(services)],
  tasks: (services) => ({ "companies.erase": eraseJob(services) }),
  // Plan, due date or state of the company changed: every session of it is checked again.
  eventWatchers: ({ sessions }) => {
    const recheckSessions: EventWatcher = ({ companyId }, sockets) => {
      sessions.forgetCompany(companyId);
      sockets.recheckCompany(companyId);
    };
    return { "company.updated": recheckSessions, "company.deleted": recheckSessions };
  },
};

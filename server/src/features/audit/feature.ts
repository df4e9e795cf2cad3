import { chainAudit } from "#server/platform/audit/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { auditRoutes } from "./audit.routes.ts";
import { verifyEveryAudit } from "./audit.service.ts";

export const feature: Feature = {
  name: "audit",
  routes: auditRoutes,
  crons: (services) => [
    { name: "audit.chain", everySeconds: 30, run: ({ signal }) => chainAudit(services, signal) },
    {
      name: "audit.verify",
      at: { hour: 3, minute: 10 },
      run: async ({ signal, log }) => void (await verifyEveryAudit(services, log, signal)),
    },
  ],
};

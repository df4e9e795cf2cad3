import type { Feature } from "#server/platform/feature.ts";
import { tellConnection, tellDeleted, tellState } from "./connections.realtime.ts";
import { connectionsRoutes } from "./connections.routes.ts";
import type { EndTraffic } from "./connections.service.ts";
import { ASK_TASK } from "./line-questions.ts";
import { pruneLines } from "./line-log.queries.ts";
import { sealedLines } from "./line-store.queries.ts";
import { linesOf } from "./lines.ts";
import { pruneRefusedVersions } from "./refused-versions.queries.ts";

/** `endTraffic`: what is under way on a line that is deleted ends. */
export const connectionsFeature = (options: { readonly endTraffic: EndTraffic }): Feature => ({
  name: "connections",
  sealed: sealedLines,
  routes: (api) => connectionsRoutes(api, options.endTraffic),
  events: () => ({
    "connection.created": tellConnection,
    "connection.updated": tellConnection,
    "connection.state": tellState,
    "connection.deleted": tellDeleted,
  }),
  renamedTasks: [ASK_TASK],
  tasks: (services) => linesOf(services).tasks,
  crons: () => [
    { name: "lines.prune", everySeconds: 600, run: ({ db }) => pruneLines(db).then(() => pruneRefusedVersions(db)) },
  ],
  parts: (services) => [linesOf(services).part],
  // Where the event log is heard the lines follow a wish at once; elsewhere within a second.
  watches: (services) => {
    const look = () => void linesOf(services).supervisor.look();
    const wishes = ["created", "updated", "started", "renewed", "stopped", "deleted"] as const;
    return {
      ...Object.fromEntries(wishes.map((wish) => [`connection.${wish}`, look])),
      // switched off or on again
      "company.updated": look,
    };
  },
});

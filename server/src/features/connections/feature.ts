import type { Feature } from "#server/platform/feature.ts";
import { pruneRefusedVersions } from "./client-versions/index.ts";
import { publishConnection, publishConnectionDeleted, publishConnectionState } from "./connections.realtime.ts";
import { connectionsRoutes } from "./connections.routes.ts";
import { pruneSentPayloads, sealedLineColumns } from "./driver-host/index.ts";
import { LIMIT_END_TASK, endLimitsWhenDue, pruneLineHealth } from "./health/index.ts";
import { pruneLineLog } from "./history/index.ts";
import { linesOf } from "./lines.ts";
import { LINE_RPC_TASK, pruneRpcResults } from "./rpc/index.ts";
import { ERASE_TASK, eraseDeletedConnection } from "./settings/index.ts";
import type { FailPendingOnLineDeletion } from "./settings/index.ts";
import { lineData } from "./erase/index.ts";

/** `failPendingOnLineDeletion`: fails what is still to be sent or fetched by a line that is deleted. */
export const connectionsFeature = (options: {
  readonly failPendingOnLineDeletion: FailPendingOnLineDeletion;
}): Feature => ({
  name: "connections",
  personalData: lineData,
  sealed: sealedLineColumns,
  routes: (api) => connectionsRoutes(api, options.failPendingOnLineDeletion),
  events: () => ({
    "connection.created": publishConnection,
    "connection.updated": publishConnection,
    "connection.state": publishConnectionState,
    "connection.limitChanged": publishConnection,
    "connection.signalled": publishConnection,
    "connection.deleted": publishConnectionDeleted,
  }),
  renamedTasks: [LINE_RPC_TASK],
  tasks: (services) => ({
    ...linesOf(services).tasks,
    [LIMIT_END_TASK]: endLimitsWhenDue,
    [ERASE_TASK]: eraseDeletedConnection(options.failPendingOnLineDeletion),
  }),
  crons: () => [
    {
      name: "lines.prune",
      everySeconds: 600,
      async run({ db }) {
        await pruneSentPayloads(db);
        await pruneRpcResults(db);
        await pruneLineLog(db);
        await pruneLineHealth(db);
        await pruneRefusedVersions(db);
      },
    },
  ],
  backgroundServices: (services) => [linesOf(services).part],
  // What a supervisor does not poll for while all its lines run.
  eventWatchers: (services) => {
    const reconcile = () => void linesOf(services).supervisor.reconcile();
    const changes = ["created", "updated", "started", "renewed", "stopped", "deleted"] as const;
    return {
      ...Object.fromEntries(changes.map((change) => [`connection.${change}`, reconcile])),
      // A company that is switched off or on, or deleted.
      "company.updated": reconcile,
      "company.deleted": reconcile,
    };
  },
});

import type { Actor } from "#server/platform/ctx.ts";
import type { BackgroundService } from "#server/platform/feature.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { createBaileysDriver, surviveStrayRejections } from "#server/whatsapp/baileys/index.ts";
import type { Driver, Line } from "#server/whatsapp/port.ts";
import { createSimulatorNetwork } from "#server/whatsapp/simulator/index.ts";
import type { SimulatorNetwork } from "#server/whatsapp/simulator/index.ts";
import type { Ingest, TypingListener } from "./driver-host/index.ts";
import { LINE_RPC_TASK, handleRemoteCall, callRemote, callLocal } from "./rpc/index.ts";
import type { RpcResult, RpcArgs, LineRpcMethod } from "./rpc/index.ts";
import { countLinesByStatus } from "./leases/index.ts";
import { createSupervisor } from "./supervisor/index.ts";
import type { Supervisor } from "./supervisor/index.ts";

/** The lines that this process runs, and RPC to those of other processes. */
export interface Lines {
  /** The line of a connection, if this process runs it: inside a job with affinity `line:{id}` it does. */
  find(connectionId: number): Line | undefined;
  /** Calls the line in whatever process it runs. Throws SendError: `timeout` when no result comes in time. */
  call<M extends LineRpcMethod>(
    actor: Actor,
    connectionId: number,
    method: M,
    args: RpcArgs<M>,
    timeoutMs?: number,
  ): Promise<RpcResult<M>>;
  /** Sets what stores received events: once, before the start. Until then nothing is acknowledged to WhatsApp. */
  setIngest(ingest: Ingest): void;
  onTyping(listener: TypingListener): void;
  /** The simulator's network; undefined where it is turned off or this process runs no lines. */
  readonly simulator: SimulatorNetwork | undefined;
  readonly supervisor: Supervisor;
  readonly part: BackgroundService;
  readonly tasks: Readonly<Record<string, JobHandler>>;
}

const RPC_TIMEOUT_MS = 10_000;
const instances = new WeakMap<Services, Lines>();

/** One instance per process: the same services give the same lines. */
export function linesOf(services: Services): Lines {
  const known = instances.get(services) ?? createLines(services, createBaileysDriver());
  instances.set(services, known);
  return known;
}

export function createLines(services: Services, driver: Driver): Lines {
  const { config, log } = services;
  const simulator =
    config.whatsapp.simulator && config.roles.has("lines")
      ? createSimulatorNetwork({ dataDir: config.dataDir, log })
      : undefined;
  const typing: TypingListener[] = [];
  let ingest: Ingest = async () => {
    throw new Error("Lines received an event before setIngest was called");
  };
  let wake = (): void => undefined;
  const supervisor = createSupervisor({
    services,
    driver,
    simulator,
    ingest: (...received) => ingest(...received),
    onTyping: (...update) => typing.forEach((listener) => listener(...update)),
    onLinesAcquired: () => wake(),
  });

  const { metrics, db } = services;
  metrics.onScrape({ name: "prosa_lines", help: "Lines by state, of all processes", labels: ["state"] }, async () =>
    (await countLinesByStatus(db)).map(({ status, count }) => ({ labels: { state: status }, value: count })),
  );
  metrics.onScrape({ name: "prosa_lines_here", help: "Lines that this process runs" }, () => [
    { value: supervisor.owned().size },
  ]);

  return {
    find: (connectionId) => supervisor.find(connectionId),
    async call(actor, connectionId, method, args, timeoutMs = RPC_TIMEOUT_MS) {
      const line = supervisor.find(connectionId);
      return line
        ? callLocal(line, method, args)
        : callRemote({ services, actor, connectionId, method, args, timeoutMs });
    },
    setIngest(next) {
      ingest = next;
    },
    onTyping: (listener) => void typing.push(listener),
    simulator,
    supervisor,
    part: {
      name: "lines",
      role: "lines",
      async start() {
        surviveStrayRejections(log);
        await supervisor.start();
      },
      async stop() {
        await supervisor.stop();
        await simulator?.stop();
      },
      affinities(wakeRunner) {
        wake = wakeRunner;
        return () => new Set([...supervisor.owned()].map((id) => `line:${id}`));
      },
    },
    tasks: { [LINE_RPC_TASK.name]: handleRemoteCall((id) => supervisor.find(id)) },
  };
}

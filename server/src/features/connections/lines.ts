import type { Actor } from "#server/platform/ctx.ts";
import type { Part } from "#server/platform/feature.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { createBaileysDriver, surviveStrayRejections } from "#server/whatsapp/baileys/index.ts";
import type { Driver, Line } from "#server/whatsapp/port.ts";
import { keepSimulator } from "#server/whatsapp/simulator/index.ts";
import type { SimulatorNetwork } from "#server/whatsapp/simulator/index.ts";
import type { Ingest, TypingListener } from "./driver-host/index.ts";
import { LINE_RPC_TASK, handleRemoteCall, callRemote, callLocal } from "./rpc/index.ts";
import type { RpcResult, RpcArgs, LineRpcMethod } from "./rpc/index.ts";
import { countLinesByStatus } from "./leases/index.ts";
import { createSupervisor } from "./supervisor/index.ts";
import type { Supervisor } from "./supervisor/index.ts";

/** The lines of one process, and the way to those of the others. */
export interface Lines {
  /** The line of a connection, where this process runs it: inside a job with affinity `line:{id}` it does. */
  find(connectionId: number): Line | undefined;
  /** Asks the line wherever it runs. Throws SendError: `timeout` when nobody answers. */
  call<Q extends LineRpcMethod>(
    actor: Actor,
    connectionId: number,
    question: Q,
    args: RpcArgs<Q>,
    timeoutMs?: number,
  ): Promise<RpcResult<Q>>;
  /** Says who takes in what lines receive: once, before the start. Until then nothing is confirmed to WhatsApp. */
  setIngest(ingest: Ingest): void;
  onTyping(listener: TypingListener): void;
  /** The simulator's network; undefined where it is turned off or this process runs no lines. */
  readonly simulator: SimulatorNetwork | undefined;
  readonly supervisor: Supervisor;
  readonly part: Part;
  readonly tasks: Readonly<Record<string, JobHandler>>;
}

const RPC_TIMEOUT_MS = 10_000;
const instances = new WeakMap<Services, Lines>();

/** One per process: whoever asks with the same services gets the same. */
export function linesOf(services: Services): Lines {
  const known = instances.get(services) ?? createLines(services, createBaileysDriver());
  instances.set(services, known);
  return known;
}

export function createLines(services: Services, driver: Driver): Lines {
  const { config, log } = services;
  const simulator =
    config.whatsapp.simulator && config.roles.has("lines")
      ? keepSimulator({ dataDir: config.dataDir, log })
      : undefined;
  const typing: TypingListener[] = [];
  let ingest: Ingest = async () => {
    throw new Error("Nobody takes in what lines receive");
  };
  let wake = (): void => undefined;
  const supervisor = createSupervisor({
    services,
    driver,
    simulator,
    ingest: (...received) => ingest(...received),
    onTyping: (...told) => typing.forEach((listener) => listener(...told)),
    onGrown: () => wake(),
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
    async call(actor, connectionId, question, args, timeoutMs = RPC_TIMEOUT_MS) {
      const line = supervisor.find(connectionId);
      return line
        ? callLocal(line, question, args)
        : callRemote({ services, actor, connectionId, method: question, args, timeoutMs });
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
      affinities(look) {
        wake = look;
        return () => new Set([...supervisor.owned()].map((id) => `line:${id}`));
      },
    },
    tasks: { [LINE_RPC_TASK.name]: handleRemoteCall((id) => supervisor.find(id)) },
  };
}

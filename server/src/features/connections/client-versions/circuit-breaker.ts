import type { Provider } from "@prosa/contract";
import type { Config } from "#server/platform/config/index.ts";
import type { Services } from "#server/platform/services.ts";
import { libraryVersion } from "#server/whatsapp/baileys/index.ts";
import type { LineState } from "#server/whatsapp/port.ts";
import type { DesiredLine } from "../leases/index.ts";
import {
  claimProbe,
  findRefusedVersions,
  deleteRefusedVersion,
  insertRefusedVersion,
} from "./refused-versions.queries.ts";
import type { RefusedVersion } from "./refused-versions.queries.ts";

const FIRST_SECONDS = 60;
const LONGEST_SECONDS = 3_600;

/** Until the next line may try: a minute after the first refusal, then twice as long each time, at most an hour. */
export function probeDelaySeconds(tries: number): number {
  return Math.min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** (tries - 1));
}

/** What lines of this process announce to the network. The simulator's is not WhatsApp's, and never refused with it. */
export function announcedVersion(provider: Provider, { whatsapp }: Pick<Config, "whatsapp">): string {
  return provider === "beta" ? (whatsapp.version?.join(".") ?? libraryVersion) : `simulator ${libraryVersion}`;
}

/** Lines that may be opened, and those that wait for a version that WhatsApp takes. */
export interface LinePartition {
  /** The one that tries; whoever claimed its turn opens it. */
  readonly probe: DesiredLine | undefined;
  readonly allowed: readonly DesiredLine[];
  readonly blocked: readonly DesiredLine[];
}

/**
 * WhatsApp refuses a client version (405) for every line alike: then one line of the installation tries at growing
 * intervals, all others wait until it is let in (decision 0115).
 */
export interface ClientVersionCircuitBreaker {
  /** Whose turn is it? Claims it for one of the lines where the time has come. */
  partition(lines: readonly DesiredLine[]): Promise<LinePartition>;
  /** What a line says of itself shows what WhatsApp thinks of its version. */
  recordState(provider: Provider, state: LineState): void;
}

/** `onChange`: lines that waited may go, or the others have to wait. */
export function createClientVersionCircuitBreaker(
  services: Services,
  onChange: () => void,
): ClientVersionCircuitBreaker {
  const { db, log, config, metrics } = services;
  let refused: ReadonlyMap<string, RefusedVersion> = new Map();
  const pendingWrites = new Set<Promise<void>>();

  async function onRefused(version: string): Promise<void> {
    if (await insertRefusedVersion(db, version, probeDelaySeconds(1))) {
      log.error({ version }, "WhatsApp refuses this client version: lines wait; set WHATSAPP_VERSION, or update");
    } else {
      log.warn({ version }, "WhatsApp still refuses this client version");
    }
  }

  async function onAccepted(version: string): Promise<void> {
    if (await deleteRefusedVersion(db, version)) {
      log.info({ version }, "WhatsApp takes this client version again: the lines that waited go on");
    }
  }

  function track(work: Promise<void>): void {
    const noted = work
      .catch((error: unknown) => log.warn({ err: error }, "what WhatsApp thinks of a version was not noted"))
      .finally(() => pendingWrites.delete(noted))
      .then(onChange);
    pendingWrites.add(noted);
  }

  /** One of those that wait, another each time: the first one may have a trouble of its own. */
  async function claimProbeLine(version: string, waiting: readonly DesiredLine[]): Promise<DesiredLine | undefined> {
    const known = refused.get(version);
    return known?.isDue && (await claimProbe(db, known, probeDelaySeconds(known.tries + 1)))
      ? waiting[known.tries % waiting.length]
      : undefined;
  }

  return {
    async partition(wishes) {
      await Promise.all(pendingWrites);
      refused = new Map((await findRefusedVersions(db)).map((known) => [known.version, known]));
      const own = new Set((["beta", "simulator"] as const).map((provider) => announcedVersion(provider, config)));
      metrics.refusedVersions.set([...own].filter((version) => refused.has(version)).length);
      const free: DesiredLine[] = [];
      const held: DesiredLine[] = [];
      let canary: DesiredLine | undefined;
      for (const [version, lines] of Map.groupBy(wishes, ({ provider }) => announcedVersion(provider, config))) {
        canary ??= refused.has(version) ? await claimProbeLine(version, lines) : undefined;
        (refused.has(version) ? held : free).push(...lines.filter((line) => line !== canary));
      }
      return { probe: canary, allowed: free, blocked: held };
    },
    recordState(provider, state) {
      const version = announcedVersion(provider, config);
      const isRefused = state.status === "DISCONNECTED" && state.reason === "versionRefused" && !state.isHearsay;
      const isAccepted = state.status === "CONNECTED" || state.status === "qrcode" || state.status === "PAIRING";
      if (isRefused) {
        track(onRefused(version));
      } else if (isAccepted && refused.has(version)) {
        track(onAccepted(version));
      }
    },
  };
}

import type { Provider } from "@prosa/contract";
import type { Config } from "#server/platform/config/index.ts";
import type { Services } from "#server/platform/services.ts";
import { libraryVersion } from "#server/whatsapp/baileys/index.ts";
import type { LineState } from "#server/whatsapp/port.ts";
import type { DesiredLine } from "../leases/index.ts";
import {
  claimProbe,
  deleteRefusedVersion,
  findRefusedVersions,
  insertRefusedVersion,
} from "./refused-versions.queries.ts";
import type { RefusedVersion } from "./refused-versions.queries.ts";

const FIRST_SECONDS = 60;
const LONGEST_SECONDS = 3_600;

/** Seconds until the next probe: a minute after the first refusal, then twice as long each time, at most an hour. */
export function probeDelaySeconds(tries: number): number {
  return Math.min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** (tries - 1));
}

/** The client version that lines of this process announce. The simulator has its own name: its refusals are not WhatsApp's. */
export function announcedVersion(provider: Provider, { whatsapp }: Pick<Config, "whatsapp">): string {
  return provider === "beta" ? (whatsapp.version?.join(".") ?? libraryVersion) : `simulator ${libraryVersion}`;
}

/** Lines that may be opened, and those that are blocked until WhatsApp accepts their client version. */
export interface LinePartition {
  /** The one line that tries the refused version; its turn has been claimed by this process. */
  readonly probe: DesiredLine | undefined;
  readonly allowed: readonly DesiredLine[];
  readonly blocked: readonly DesiredLine[];
}

/** Three passes of a settled supervisor. */
const READ_ANYWAY_MS = 25_000;
/** What is older may lack a version that a line of another process has found refused since. */
const FRESH_MS = 2_000;

/**
 * Circuit breaker for client versions: WhatsApp refuses a version (405) for every line alike. Then one line of the
 * installation probes at growing intervals, and all others wait until it is accepted (decision 0115).
 */
export interface ClientVersionCircuitBreaker {
  /** Splits lines by the state of their version, and claims the probe for one of them where it is due. */
  partition(lines: readonly DesiredLine[]): Promise<LinePartition>;
  /** Opens or closes the circuit by a line's state, which shows whether WhatsApp accepted its version. */
  recordState(provider: Provider, state: LineState): void;
}

/** `onChange` is called after the circuit of a version was opened or closed. */
export function createClientVersionCircuitBreaker(
  services: Services,
  onChange: () => void,
): ClientVersionCircuitBreaker {
  const { db, log, config, metrics } = services;
  let refused: ReadonlyMap<string, RefusedVersion> = new Map();
  let lastRead = -Infinity;
  const pendingWrites = new Set<Promise<void>>();

  async function onRefused(version: string): Promise<boolean> {
    if (await insertRefusedVersion(db, version, probeDelaySeconds(1))) {
      log.error(
        { version },
        "WhatsApp refuses this client version: lines are blocked; set WHATSAPP_VERSION, or update",
      );
    } else {
      log.warn({ version }, "WhatsApp still refuses this client version");
    }
    return true;
  }

  async function onAccepted(version: string): Promise<boolean> {
    const wasRefused = await deleteRefusedVersion(db, version);
    if (wasRefused) {
      log.info({ version }, "WhatsApp accepts this client version again: blocked lines connect");
    }
    return wasRefused;
  }

  /** `work` resolves to whether there is something to tell. */
  function track(work: Promise<boolean>): void {
    const write = work
      .catch((error: unknown) => {
        log.warn({ err: error }, "refused client version not stored");
        return true;
      })
      .then((isNews) => {
        pendingWrites.delete(write);
        if (isNews) {
          lastRead = -Infinity;
          onChange();
        }
      });
    pendingWrites.add(write);
  }

  /** Another line for each probe: one may fail for a reason of its own. */
  async function claimProbeLine(version: string, waiting: readonly DesiredLine[]): Promise<DesiredLine | undefined> {
    const known = refused.get(version);
    return known?.isDue && (await claimProbe(db, known, probeDelaySeconds(known.tries + 1)))
      ? waiting[known.tries % waiting.length]
      : undefined;
  }

  return {
    async partition(lines) {
      await Promise.all(pendingWrites);
      // Without a line to open only the metric asks, and what a line says that connects by itself.
      if (lines.length > 0 || performance.now() - lastRead > READ_ANYWAY_MS) {
        refused = new Map((await findRefusedVersions(db)).map((known) => [known.version, known]));
        lastRead = performance.now();
      }
      const own = new Set((["beta", "simulator"] as const).map((provider) => announcedVersion(provider, config)));
      metrics.refusedVersions.set([...own].filter((version) => refused.has(version)).length);
      const allowed: DesiredLine[] = [];
      const blocked: DesiredLine[] = [];
      let probe: DesiredLine | undefined;
      for (const [version, group] of Map.groupBy(lines, ({ provider }) => announcedVersion(provider, config))) {
        probe ??= refused.has(version) ? await claimProbeLine(version, group) : undefined;
        (refused.has(version) ? blocked : allowed).push(...group.filter((line) => line !== probe));
      }
      return { probe, allowed, blocked };
    },
    recordState(provider, state) {
      const version = announcedVersion(provider, config);
      const isRefused = state.status === "DISCONNECTED" && state.reason === "versionRefused" && !state.isHearsay;
      const isAccepted = state.status === "CONNECTED" || state.status === "qrcode" || state.status === "PAIRING";
      if (isRefused) {
        track(onRefused(version));
      } else if (isAccepted && (refused.has(version) || performance.now() - lastRead > FRESH_MS)) {
        track(onAccepted(version));
      }
    },
  };
}

import type { Provider } from "@prosa/contract";
import type { Config } from "#server/platform/config/index.ts";
import type { Services } from "#server/platform/services.ts";
import { libraryVersion } from "#server/whatsapp/baileys/index.ts";
import type { LineState } from "#server/whatsapp/port.ts";
import type { LineWish } from "../leases/index.ts";
import { claimTry, findRefusedVersions, forgetRefusedVersion, noteRefusedVersion } from "./refused-versions.queries.ts";
import type { RefusedVersion } from "./refused-versions.queries.ts";

const FIRST_SECONDS = 60;
const LONGEST_SECONDS = 3_600;

/** Until the next line may try: a minute after the first refusal, then twice as long each time, at most an hour. */
export function pauseAfter(tries: number): number {
  return Math.min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** (tries - 1));
}

/** What lines of this process announce to the network. The simulator's is not WhatsApp's, and never refused with it. */
export function versionOf(provider: Provider, { whatsapp }: Pick<Config, "whatsapp">): string {
  return provider === "beta" ? (whatsapp.version?.join(".") ?? libraryVersion) : `simulator ${libraryVersion}`;
}

/** Lines that may be opened, and those that wait for a version that WhatsApp takes. */
export interface Sorted {
  /** The one that tries; whoever claimed its turn opens it. */
  readonly canary: LineWish | undefined;
  readonly free: readonly LineWish[];
  readonly held: readonly LineWish[];
}

/**
 * WhatsApp refuses a client version (405) for every line alike: then one line of the installation tries at growing
 * intervals, all others wait until it is let in (decision 0115).
 */
export interface VersionGate {
  /** Whose turn is it? Claims it for one of the lines where the time has come. */
  sort(wishes: readonly LineWish[]): Promise<Sorted>;
  /** What a line says of itself shows what WhatsApp thinks of its version. */
  hear(provider: Provider, state: LineState): void;
}

/** `onChange`: lines that waited may go, or the others have to wait. */
export function createVersionGate(services: Services, onChange: () => void): VersionGate {
  const { db, log, config, metrics } = services;
  let refused: ReadonlyMap<string, RefusedVersion> = new Map();
  const noting = new Set<Promise<void>>();

  async function onRefused(version: string): Promise<void> {
    if (await noteRefusedVersion(db, version, pauseAfter(1))) {
      log.error({ version }, "WhatsApp refuses this client version: lines wait; set WHATSAPP_VERSION, or update");
    } else {
      log.warn({ version }, "WhatsApp still refuses this client version");
    }
  }

  async function onTaken(version: string): Promise<void> {
    if (await forgetRefusedVersion(db, version)) {
      log.info({ version }, "WhatsApp takes this client version again: the lines that waited go on");
    }
  }

  function note(work: Promise<void>): void {
    const noted = work
      .catch((error: unknown) => log.warn({ err: error }, "what WhatsApp thinks of a version was not noted"))
      .finally(() => noting.delete(noted))
      .then(onChange);
    noting.add(noted);
  }

  /** One of those that wait, another each time: the first one may have a trouble of its own. */
  async function canaryOf(version: string, waiting: readonly LineWish[]): Promise<LineWish | undefined> {
    const known = refused.get(version);
    return known?.isDue && (await claimTry(db, known, pauseAfter(known.tries + 1)))
      ? waiting[known.tries % waiting.length]
      : undefined;
  }

  return {
    async sort(wishes) {
      await Promise.all(noting);
      refused = new Map((await findRefusedVersions(db)).map((known) => [known.version, known]));
      const own = new Set((["beta", "simulator"] as const).map((provider) => versionOf(provider, config)));
      metrics.refusedVersions.set([...own].filter((version) => refused.has(version)).length);
      const free: LineWish[] = [];
      const held: LineWish[] = [];
      let canary: LineWish | undefined;
      for (const [version, lines] of Map.groupBy(wishes, ({ provider }) => versionOf(provider, config))) {
        canary ??= refused.has(version) ? await canaryOf(version, lines) : undefined;
        (refused.has(version) ? held : free).push(...lines.filter((line) => line !== canary));
      }
      return { canary, free, held };
    },
    hear(provider, state) {
      const version = versionOf(provider, config);
      const isRefused = state.status === "DISCONNECTED" && state.reason === "versionRefused" && !state.isHearsay;
      const isTaken = state.status === "CONNECTED" || state.status === "qrcode" || state.status === "PAIRING";
      if (isRefused) {
        note(onRefused(version));
      } else if (isTaken && refused.has(version)) {
        note(onTaken(version));
      }
    },
  };
}

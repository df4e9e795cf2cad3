import { WaSim } from "@prosa/wa-sim";
import type { Phone } from "@prosa/wa-sim";
import { createBaileysDriver } from "#server/whatsapp/baileys/index.ts";
import type { Timing } from "#server/whatsapp/baileys/index.ts";
import type { Line, LineSettings } from "#server/whatsapp/port.ts";
import { MemoryHost } from "./memory-host.ts";
import type { DurableState } from "./memory-host.ts";

export const OWNER = "5511990000001";

/** Short timeouts, so that tests of timeouts are fast. */
export const shortTimeouts: Partial<Timing> = {
  socket: {
    connectTimeoutMs: 2_000,
    keepAliveIntervalMs: 30_000,
    defaultQueryTimeoutMs: 2_000,
    retryRequestDelayMs: 5,
  },
  ackMs: 1_500,
  deviceLookupMs: 5_000,
  waitForOpenMs: 1_000,
  reuploadMs: 2_000,
  pictureMs: 500,
  backOffFactor: 0.004,
};

export function settingsOf(sim: WaSim): LineSettings {
  return {
    wsUrl: sim.wsUrl,
    mediaCa: sim.caPem,
    mediaHosts: [new URL(sim.mediaOrigin).host],
    rootPublicKey: sim.rootPublicKey,
  };
}

export interface SimLine {
  readonly sim: WaSim;
  readonly phone: Phone;
  readonly host: MemoryHost;
  readonly line: Line;
  /** Another line of the same process. */
  openAnother(phone: Phone): { readonly phone: Phone; readonly host: MemoryHost };
  /** Drops the line and opens it again from the durable state, as after a crash of the process. */
  crash(): { readonly host: MemoryHost; readonly line: Line };
  end(): Promise<void>;
}

export interface SimLineOptions {
  readonly settings?: Partial<LineSettings>;
  readonly timing?: Partial<Timing>;
  readonly sim?: WaSim;
  readonly durable?: DurableState;
}

/** A wa-sim with one line that is not linked. */
export async function anUnlinkedLine(options: SimLineOptions = {}): Promise<SimLine> {
  const sim = options.sim ?? (await WaSim.start());
  const settings = { ...settingsOf(sim), ...options.settings };
  const driver = createBaileysDriver({ ...shortTimeouts, ...options.timing });
  const lines: Line[] = [];
  const openOn = (host: MemoryHost): Line => {
    const line = driver.open(host, settings);
    lines.push(line);
    return line;
  };
  const host = new MemoryHost(1, options.durable);
  const line = openOn(host);
  return {
    sim,
    phone: sim.phone(OWNER, { name: "Loja" }),
    host,
    line,
    openAnother(other) {
      const itsHost = new MemoryHost(lines.length + 1);
      openOn(itsHost);
      return { phone: other, host: itsHost };
    },
    crash() {
      lines.at(-1)?.drop();
      const next = new MemoryHost(1, host.durable);
      return { host: next, line: openOn(next) };
    },
    async end() {
      lines.forEach((each) => each.drop());
      await sim.stop();
    },
  };
}

/** Like anUnlinkedLine, linked and connected. */
export async function aConnectedLine(options: SimLineOptions = {}): Promise<SimLine> {
  const made = await anUnlinkedLine(options);
  const { qr } = await made.host.waitForState("qrcode");
  await made.phone.scan(qr);
  await made.host.waitForState("CONNECTED");
  return made;
}

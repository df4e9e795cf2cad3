import { readFile } from "node:fs/promises";
import type { Config } from "#server/platform/config/index.ts";
import type { LineSettings } from "#server/whatsapp/port.ts";
import type { SimulatorNetwork } from "#server/whatsapp/simulator/index.ts";
import type { DesiredLine } from "../leases/index.ts";

/** Both providers use one driver: `beta` on WhatsApp's own network, `simulator` on ours. Throws where the simulator is off. */
export async function settingsFor(
  { provider, pairingNumber, number }: Pick<DesiredLine, "provider" | "pairingNumber" | "number">,
  { whatsapp }: Pick<Config, "whatsapp">,
  simulator: SimulatorNetwork | undefined,
): Promise<LineSettings> {
  const pairing = { ...(pairingNumber && { pairingNumber }), ...(number && { lastNumber: number }) };
  if (provider === "beta") {
    return {
      ...pairing,
      ...(whatsapp.version && { versions: [whatsapp.version] }),
      // Not in production (the configuration refuses it): the media host's certificate is trusted by NODE_EXTRA_CA_CERTS.
      ...(whatsapp.wsUrl !== undefined && {
        wsUrl: whatsapp.wsUrl,
        mediaHosts: [new URL(whatsapp.wsUrl).hostname, "localhost", "127.0.0.1"],
      }),
    };
  }
  if (!simulator) {
    throw new Error("The simulator is turned off");
  }
  const { wsUrl, mediaOrigin, caFile, rootPublicKey } = await simulator.address();
  return {
    ...pairing,
    wsUrl,
    mediaHosts: [new URL(mediaOrigin).host],
    mediaCa: await readFile(caFile, "utf8"),
    rootPublicKey: Buffer.from(rootPublicKey, "base64"),
  };
}

import type { Finding } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import type { Config } from "#server/platform/config/index.ts";
import type { Db } from "#server/platform/db/index.ts";
import type { Services } from "#server/platform/services.ts";
import { worded } from "./finding.ts";
import { lookAtAddress } from "./look-at-address.ts";
import { lookAtDatabase } from "./look-at-database.ts";
import { lookAtMachine } from "./look-at-machine.ts";
import { lookAtServices } from "./look-at-services.ts";

/** Looks at everything that an installation needs. Writes nothing but the probe that each start writes into the storage. */
export async function examine(config: Config, db: Db): Promise<readonly Finding[]> {
  const parts = await Promise.all([lookAtDatabase(db, config), lookAtMachine(config, false), lookAtAddress(config)]);
  return parts.flat().map((finding) => worded(finding, "en"));
}

/** The same from within a running process, which knows more, in a language; `redact` is applied to reasons of other programs. */
export async function examineRunning(
  services: Services,
  language: Language,
  redact: (reason: string) => string,
): Promise<readonly Finding[]> {
  const { config, db } = services;
  const parts = await Promise.all([
    lookAtServices(services),
    lookAtDatabase(db, config),
    lookAtMachine(config, true),
    lookAtAddress(config),
  ]);
  return parts.flat().map((finding) => worded(finding, language, redact));
}

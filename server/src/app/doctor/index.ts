import type { Config } from "#server/platform/config/index.ts";
import type { Db } from "#server/platform/db/index.ts";
import type { Finding } from "./finding.ts";
import { lookAtAddress } from "./look-at-address.ts";
import { lookAtDatabase } from "./look-at-database.ts";
import { lookAtMachine } from "./look-at-machine.ts";

export type { Finding } from "./finding.ts";

/** Looks at everything that an installation needs. Writes nothing but the probe that each start writes into the storage. */
export async function examine(config: Config, db: Db): Promise<readonly Finding[]> {
  const parts = await Promise.all([lookAtDatabase(db, config), lookAtMachine(config), lookAtAddress(config)]);
  return parts.flat();
}

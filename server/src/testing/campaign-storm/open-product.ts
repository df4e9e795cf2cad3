import { pino } from "pino";
import { compose } from "#server/app/compose.ts";
import { features as allFeatures } from "#server/app/features.ts";
import { createServices } from "#server/app/services.ts";
import { linesOf } from "#server/features/connections/index.ts";
import type { Clock } from "#server/platform/clock/index.ts";
import { readConfig } from "#server/platform/config/index.ts";
import { openDatabase } from "#server/platform/db/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { createFakeLine, fakeLinesFeature } from "../fake-line.ts";
import type { SentByLine } from "../fake-line.ts";

export interface CampaignProduct {
  /** Runs what is due, and what that enqueues, until nothing is. */
  drain(): Promise<void>;
  close(): Promise<void>;
  readonly storage: Storage;
}

/** The product as a worker that owns these lines, which are fake. */
export async function openCampaignProduct(options: {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly connectionIds: readonly number[];
  readonly clock: Clock;
  readonly onSend?: (connectionId: number, sent: SentByLine) => void;
}): Promise<CampaignProduct> {
  const { databaseUrl, folder, connectionIds, clock, onSend = () => undefined } = options;
  const log = pino({ level: "fatal" });
  const db = openDatabase({ url: databaseUrl, log, max: 8, systemMax: 3, clock });
  const config = readConfig({
    NODE_ENV: "test",
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    HOST: "127.0.0.1",
    PORT: "0",
    SECRET_KEY: "one key for every process of the installation",
    LINK_PREVIEWS: "off",
  });
  const lines = new Map(
    connectionIds.map((id) => [
      id,
      Object.assign(createFakeLine(id), { onSend: (sent: SentByLine) => onSend(id, sent) }),
    ]),
  );
  const features = [...allFeatures, fakeLinesFeature(lines)];
  const services = await createServices({ config, log, db, clock }, features);
  // Before the features ask for it: what sends finds the fake lines.
  Object.assign(linesOf(services), { find: (id: number) => lines.get(id) });
  const product = await compose(services, features);
  await product.tail.start();
  return {
    storage: services.storage,
    async drain() {
      await product.tail.catchUp();
      await product.jobs?.drain();
    },
    async close() {
      await product.jobs?.stop();
      await product.tail.stop();
      await product.http.fastify.close();
      await product.close();
      await db.close();
    },
  };
}

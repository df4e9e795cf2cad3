import webPush from "web-push";
import type { Services } from "#server/platform/services.ts";
import { findPushKeys, insertPushKeys, pushKeyContext } from "./devices.queries.ts";

export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The installation's keys: made when first asked for, the same for every process and for ever. */
export async function getVapidKeys({ db, vault }: Pick<Services, "db" | "vault">): Promise<VapidKeys> {
  const known = await findPushKeys(db);
  if (known) {
    return { publicKey: known.publicKey, privateKey: vault.open(known.privateKey, pushKeyContext).toString("utf8") };
  }
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  await insertPushKeys(db, { publicKey, privateKey: vault.seal(privateKey, pushKeyContext) });
  return getVapidKeys({ db, vault });
}

/** Whom a push service may write to about us: our address, or the sender of our mails (RFC 8292). */
export function vapidSubject(publicUrl: string, mailFrom: string): string {
  return publicUrl.startsWith("https://") ? publicUrl : `mailto:${/<(.+)>/.exec(mailFrom)?.[1] ?? mailFrom}`;
}

import webPush from "web-push";
import { openUnlessLost } from "#server/platform/auth/index.ts";
import type { Services } from "#server/platform/services.ts";
import { findPushKeys, forgetPushKeys, insertPushKeys, pushKeyContext } from "./devices.queries.ts";

export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * The VAPID keys of the installation. The first call creates them; they are the same for all processes, and change only where the secret
 * that sealed them is lost. Then the subscriptions go as well, which push services accept from the former keys alone; browsers that are
 * opened subscribe anew.
 */
export async function getVapidKeys(services: Pick<Services, "db" | "vault" | "log">): Promise<VapidKeys> {
  const { db, vault, log } = services;
  const stored = await findPushKeys(db);
  if (stored) {
    const { publicKey } = stored;
    const privateKey = openUnlessLost(
      () => vault.open(stored.privateKey, pushKeyContext).toString("utf8"),
      (err) => log.warn({ err }, "push keys sealed with a lost secret are replaced; devices subscribe again"),
    );
    if (privateKey !== undefined) {
      return { publicKey, privateKey };
    }
    await db.systemTx((tx) => forgetPushKeys(tx, publicKey));
    return getVapidKeys(services);
  }
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  await insertPushKeys(db, { publicKey, privateKey: vault.seal(privateKey, pushKeyContext) });
  return getVapidKeys(services);
}

/** The contact for operators of push services: the public URL, or the sender address of mails (RFC 8292). */
export function vapidSubject(publicUrl: string, mailFrom: string): string {
  return publicUrl.startsWith("https://") ? publicUrl : `mailto:${/<(.+)>/.exec(mailFrom)?.[1] ?? mailFrom}`;
}

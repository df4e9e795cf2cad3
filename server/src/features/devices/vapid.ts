import webPush from "web-push";
import type { Services } from "#server/platform/services.ts";
import { findPushKeys, insertPushKeys, pushKeyContext } from "./devices.queries.ts";

export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The VAPID keys of the installation. The first call creates them; they are the same for all processes and never change. */
export async function getVapidKeys({ db, vault }: Pick<Services, "db" | "vault">): Promise<VapidKeys> {
  const stored = await findPushKeys(db);
  if (stored) {
    return { publicKey: stored.publicKey, privateKey: vault.open(stored.privateKey, pushKeyContext).toString("utf8") };
  }
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  await insertPushKeys(db, { publicKey, privateKey: vault.seal(privateKey, pushKeyContext) });
  return getVapidKeys({ db, vault });
}

/** The contact for operators of push services: the public URL, or the sender address of mails (RFC 8292). */
export function vapidSubject(publicUrl: string, mailFrom: string): string {
  return publicUrl.startsWith("https://") ? publicUrl : `mailto:${/<(.+)>/.exec(mailFrom)?.[1] ?? mailFrom}`;
}

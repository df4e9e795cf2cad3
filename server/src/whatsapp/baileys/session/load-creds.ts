import type { LineHost } from "../../port.ts";
import { BufferJSON, initAuthCreds } from "../library.ts";
import type { AuthenticationCreds } from "../library.ts";

/**
 * The credentials of the line, new ones where it has none. Those with `me` but without `account` come from a pairing that was never
 * finished: WhatsApp refuses them. Stale ones that are still there were not unlinked, because no process ran the line. Throws
 * CredentialsLostError.
 */
export async function loadCreds(host: LineHost): Promise<AuthenticationCreds> {
  const saved = await host.loadCreds();
  const creds = saved && (JSON.parse(saved.value, BufferJSON.reviver) as AuthenticationCreds);
  if (saved?.isStale && creds?.account) {
    host.onNote("notUnlinked");
  }
  if (saved?.isStale || (creds?.me && !creds.account)) {
    await host.forget();
    return initAuthCreds();
  }
  return creds ?? initAuthCreds();
}

import type { LineHost } from "../../port.ts";
import { BufferJSON, initAuthCreds } from "../library.ts";
import type { AuthenticationCreds } from "../library.ts";

/** Credentials with `me` but without `account` come from a pairing that was never finished: WhatsApp refuses them. */
export async function loadCreds(host: LineHost): Promise<AuthenticationCreds> {
  const saved = await host.loadCreds();
  const creds = saved === null ? null : (JSON.parse(saved, BufferJSON.reviver) as AuthenticationCreds);
  if (creds?.me && !creds.account) {
    await host.forget();
    return initAuthCreds();
  }
  return creds ?? initAuthCreds();
}

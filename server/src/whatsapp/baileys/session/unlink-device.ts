import { CredentialsLostError } from "../../port.ts";
import { DisconnectReason } from "../library.ts";
import { loadCreds } from "./load-creds.ts";
import { disconnectOf } from "./reconnect-policy.ts";
import { Session } from "./session.ts";
import type { SessionOptions } from "./session.ts";

/** Asks WhatsApp to unlink the device of this session, then closes it. False where it was cut before. */
export async function unlinkDevice(session: Session): Promise<boolean> {
  const { sock } = session;
  let endedWith: number | undefined;
  sock.ev.on("connection.update", ({ connection, lastDisconnect }) => {
    endedWith = connection === "close" ? disconnectOf(lastDisconnect?.error).code : endedWith;
  });
  try {
    // Not `sock.logout()`, which closes the socket before the write barrier has sent its frame.
    await sock.sendNode({
      tag: "iq",
      attrs: { to: "@s.whatsapp.net", type: "set", id: sock.generateMessageTag(), xmlns: "md" },
      content: [{ tag: "remove-companion-device", attrs: { jid: sock.user?.id ?? "", reason: "user_initiated" } }],
    });
    await session.drain();
    // WhatsApp may close what it has logged out.
    return session.isOpen || endedWith === DisconnectReason.loggedOut;
  } catch {
    return false;
  } finally {
    await session.close();
  }
}

type LogInOptions = Pick<SessionOptions, "host" | "settings" | "version" | "timing">;

/** Logs in with the stored credentials only to unlink their device. False where WhatsApp does not let it in, or they cannot be opened. */
export async function unlinkStoredDevice(options: LogInOptions): Promise<boolean> {
  try {
    const creds = await loadCreds(options.host);
    const session = creds.account ? await logInForUnlink({ ...options, creds }) : undefined;
    return session ? await unlinkDevice(session) : !creds.account;
  } catch (error) {
    if (error instanceof CredentialsLostError) {
      return false;
    }
    throw error;
  }
}

/** Events are not stored meanwhile. Undefined where WhatsApp does not let the device in. */
function logInForUnlink(options: LogInOptions & Pick<SessionOptions, "creds">): Promise<Session | undefined> {
  return new Promise((resolve) => {
    let isGiven = false;
    const give = (opened: Session | undefined) => {
      if (isGiven) {
        return;
      }
      isGiven = true;
      clearTimeout(timer);
      if (!opened) {
        session.drop();
      }
      resolve(opened);
    };
    const timer = setTimeout(() => give(undefined), options.timing.ackMs);
    const session: Session = new Session({
      ...options,
      storesEvents: false,
      onConnection({ connection }) {
        if (connection === "open" || connection === "close") {
          give(connection === "open" ? session : undefined);
        }
      },
      onQuota: () => undefined,
      onAck: () => undefined,
      onReceived: () => undefined,
      onLeaseLost: () => give(undefined),
      onKeysLost: () => give(undefined),
    });
  });
}

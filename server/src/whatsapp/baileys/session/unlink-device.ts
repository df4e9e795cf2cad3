import { DisconnectReason } from "../library.ts";
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

/** Logs in only for unlinking: events are not stored meanwhile. Undefined where WhatsApp does not let the device in. */
export function logInForUnlink(
  options: Pick<SessionOptions, "host" | "settings" | "creds" | "version" | "timing">,
): Promise<Session | undefined> {
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
    });
  });
}

import type { UserFacingSocketConfig } from "./library.ts";

type SocketTiming = Pick<
  UserFacingSocketConfig,
  "connectTimeoutMs" | "keepAliveIntervalMs" | "defaultQueryTimeoutMs" | "qrTimeout" | "retryRequestDelayMs"
>;

/** Timeouts and delays of a line, in milliseconds; tests use shorter ones. */
export interface Timing {
  readonly socket: SocketTiming;
  /** A message fails where WhatsApp's server does not acknowledge it in this time. */
  readonly ackMs: number;
  /** Timeout for looking up the devices of a contact and their keys. */
  readonly deviceLookupMs: number;
  /** A send waits this long for a line that is reconnecting. */
  readonly waitForOpenMs: number;
  /** Timeout for a phone to upload a file again. */
  readonly reuploadMs: number;
  /** Timeout for WhatsApp to answer with the URL of a profile picture. */
  readonly pictureMs: number;
  /** After being connected for this long, the back-off starts again from its shortest delay. */
  readonly stableMs: number;
  /** A line that is not connected for this long is shown as TIMEOUT (whatsapp.md section 10). */
  readonly timeoutShownAfterMs: number;
  /** Chats that the owner marks as read count only after the line has been connected for this long. */
  readonly readMarksAfterMs: number;
  /** Multiplies every delay between connection attempts. */
  readonly backOffFactor: number;
}

/** WhatsApp gives a socket this many references for its QRs: Baileys shows the first for a minute, the others for 20 s. */
const QR_REFS = 6;
const FIRST_QR_MS = 60_000;
const NEXT_QR_MS = 20_000;

/** A pairing code lives as long as its socket, which Baileys closes when its last QR expires. */
export function pairingCodeLifetimeMs({ socket: { qrTimeout } }: Timing): number {
  return qrTimeout === undefined ? FIRST_QR_MS + (QR_REFS - 1) * NEXT_QR_MS : QR_REFS * qrTimeout;
}

export const defaultTiming: Timing = {
  socket: {
    connectTimeoutMs: 20_000,
    keepAliveIntervalMs: 25_000,
    defaultQueryTimeoutMs: 30_000,
    retryRequestDelayMs: 5,
  },
  ackMs: 20_000,
  deviceLookupMs: 10_000,
  waitForOpenMs: 5_000,
  reuploadMs: 30_000,
  pictureMs: 15_000,
  stableMs: 30_000,
  timeoutShownAfterMs: 60_000,
  readMarksAfterMs: 60_000,
  backOffFactor: 1,
};

import type { UserFacingSocketConfig } from "./library.ts";

type SocketTiming = Pick<
  UserFacingSocketConfig,
  "connectTimeoutMs" | "keepAliveIntervalMs" | "defaultQueryTimeoutMs" | "qrTimeout" | "retryRequestDelayMs"
>;

/** How long a line waits for what; tests are in a hurry. */
export interface Timing {
  readonly socket: SocketTiming;
  /** A message that the server does not acknowledge in this time has failed. */
  readonly ackMs: number;
  /** So long WhatsApp gets to say on which devices a contact is, and with which keys. */
  readonly addressMs: number;
  /** A message waits this long for a line that is just coming back. */
  readonly openMs: number;
  /** A phone gets this long to upload a file again. */
  readonly reuploadMs: number;
  /** WhatsApp gets this long to say where a picture is. */
  readonly pictureMs: number;
  /** Connected for so long: the next trouble starts from the shortest pause. */
  readonly stableMs: number;
  /** Trouble that lasts so long is shown as TIMEOUT (whatsapp.md section 10). */
  readonly troubleShownMs: number;
  /** What the owner marked in the list of chats is believed when the line has been connected for so long. */
  readonly marksMs: number;
  /** Shortens every pause between attempts. */
  readonly pauseFactor: number;
}

/** Of the references that WhatsApp gives a socket for its QRs: the library shows the first for a minute, the others for 20 s. */
const QR_REFS = 6;
const FIRST_QR_MS = 60_000;
const NEXT_QR_MS = 20_000;

/** A pairing code dies with its socket, which ends when the last QR that it could show has ended. */
export function pairingCodeMs({ socket: { qrTimeout } }: Timing): number {
  return qrTimeout === undefined ? FIRST_QR_MS + (QR_REFS - 1) * NEXT_QR_MS : QR_REFS * qrTimeout;
}

export const usualTiming: Timing = {
  socket: {
    connectTimeoutMs: 20_000,
    keepAliveIntervalMs: 25_000,
    defaultQueryTimeoutMs: 30_000,
    retryRequestDelayMs: 5,
  },
  ackMs: 20_000,
  addressMs: 10_000,
  openMs: 5_000,
  reuploadMs: 30_000,
  pictureMs: 15_000,
  stableMs: 30_000,
  troubleShownMs: 60_000,
  marksMs: 60_000,
  pauseFactor: 1,
};

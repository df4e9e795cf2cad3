/** Faults that tests inject. All off by default; fields may change at any time. */
export class Faults {
  /** false: messages of lines are dropped: no ack, no recipient. */
  autoAck = true;
  /** Messages of lines arrive, but their acks are lost. */
  loseAck = false;
  /** Every message of a line is refused with this code in its ack (463: restricted, 479: stale session). */
  ackError: number | undefined;
  /** The next messages are refused with these codes, one each, in order. */
  nextAckErrors: number[] = [];
  /** Clients with these versions ("2.3000.1") are refused with 405, linked or not. */
  refusedVersions: string[] = [];
  /** Pairing codes are refused with this code: 429 where too many were asked for. */
  pairingCodeError: number | undefined;
  /** IQs of these kinds get no answer: "usync", "encrypt", "w:m", … or "xmlns/child". */
  muteIq = new Set<string>();
  /** The device list leaves out LIDs: Baileys then cannot fetch keys of somebody it only knows by number. */
  omitLid = false;
  /** The device lists of these numbers are empty. */
  withoutDevices: string[] = [];
  /** Number of next messages to lines with a flipped bit: the line cannot decrypt them and sends a retry receipt. */
  corruptNext = 0;
  /** Number of next messages to lines that arrive twice. */
  duplicateNext = 0;
  /** Number of next messages to persons that cannot be decrypted: the person sends a retry receipt. */
  garbleNextOutbound = 0;
  /** Downloads answer 404 until the sender's phone uploads the file again. */
  dropMedia = false;
  /** Files that persons send are corrupted on the media host. */
  tamperMedia = false;
  /** A person's phone refuses to upload an expired file again. */
  refuseMediaRetry = false;
  /** Downloads of files that were uploaded again answer this status. */
  reuploadedStatus: number | undefined;
  /** A line that asks for an expired file loses its connection. */
  dropAtMediaRetry = false;

  clear(): void {
    Object.assign(this, new Faults());
  }
}

/** Everything a test can break. All off by default; change the fields at any time. */
export class Faults {
  /** false: a line's messages vanish on the way: no ack, nobody receives them. */
  autoAck = true;
  /** The line's message arrives, but its ack is lost. */
  loseAck = false;
  /** Every message of a line is refused with this code in its ack (463: restricted, 479: stale session). */
  ackError: number | undefined;
  /** The next messages are refused with these codes, one each, in order. */
  nextAckErrors: number[] = [];
  /** Clients that announce these versions ("2.3000.1") are turned away with 405, linked or not. */
  refusedVersions: string[] = [];
  /** IQs of these kinds get no answer: "usync", "encrypt", "w:m", … or "xmlns/child". */
  muteIq = new Set<string>();
  /** The device list leaves out LIDs: Baileys then cannot fetch keys of somebody it only knows by number. */
  omitLid = false;
  /** Who has these numbers has no device: the device list names none. */
  withoutDevices: string[] = [];
  /** So many of the next messages to a line arrive with a flipped bit: it cannot decrypt them and asks again. */
  corruptNext = 0;
  /** So many of the next messages to a line arrive twice. */
  duplicateNext = 0;
  /** So many of the next messages to persons cannot be decrypted by them: they ask for a retry. */
  garbleNextOutbound = 0;
  /** Downloads answer 404 until the sender's phone uploads again. */
  dropMedia = false;
  /** Files that persons send are altered on the media host. */
  tamperMedia = false;
  /** A person's phone refuses to upload an expired file again. */
  refuseMediaRetry = false;

  clear(): void {
    Object.assign(this, new Faults());
  }
}

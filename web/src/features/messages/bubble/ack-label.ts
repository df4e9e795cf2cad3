import { ackValues } from "@prosa/contract/messages";

/** The i18n key of an ack level. 4 and 5 are "read" and highlighted, 3 is read by some of a group (specification 1 section 3). */
export function ackLabel(ack: number) {
  if (ack >= ackValues.read) {
    return "ack_read";
  }
  if (ack >= ackValues.readBySome) {
    return "ack_readBySome";
  }
  if (ack >= ackValues.delivered) {
    return "ack_delivered";
  }
  if (ack >= ackValues.sent) {
    return "ack_sent";
  }
  return ack >= ackValues.queued ? "ack_queued" : "ack_failed";
}

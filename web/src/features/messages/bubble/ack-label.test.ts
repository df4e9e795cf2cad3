import { expect, test } from "vitest";
import { ackLabel } from "./ack-label.ts";

test.each([
  [-1, "ack_failed"],
  [0, "ack_queued"],
  [1, "ack_sent"],
  [2, "ack_delivered"],
  [3, "ack_readBySome"],
  [4, "ack_read"],
  [5, "ack_read"],
])("an own message with ack %i is labelled %s; 4 and 5 alone are highlighted (M-02)", (ack, label) => {
  expect(ackLabel(ack)).toBe(label);
});

import type { Companion, Context } from "../network/index.ts";
import { node } from "../protocol/index.ts";
import type { Node } from "../protocol/index.ts";

/** Queues a receipt: somebody received, read or played messages of the line. */
export function deliverReceipt(
  context: Context,
  companions: readonly Companion[],
  ids: string[],
  attrs: {
    from: string;
    /** `read-self`: the owner read on the phone with read receipts off. */
    type?: "read" | "played" | "read-self" | undefined;
    participant?: string | undefined;
    /** The chat, if the receipt comes from the owner's own phone. */
    recipient?: string | undefined;
  },
): void {
  const [id, ...more] = ids;
  if (id === undefined) {
    return;
  }
  const list =
    more.length > 0
      ? [
          node(
            "list",
            {},
            more.map((other) => node("item", { id: other })),
          ),
        ]
      : undefined;
  const stanza = node("receipt", { id, t: context.seconds(), ...attrs }, list);
  for (const companion of companions) {
    companion.enqueue({ key: receiptKey(stanza), node: stanza });
  }
}

/** Key of a pending receipt: a message has several, by type and sender. */
export const receiptKey = ({ attrs }: Node, from = attrs["from"]): string =>
  `receipt:${attrs["id"] ?? ""}:${attrs["type"] ?? ""}:${from ?? ""}:${attrs["participant"] ?? ""}`;

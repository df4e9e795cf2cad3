import type { Companion, Context } from "../network/index.ts";
import { node } from "../protocol/index.ts";
import type { Node } from "../protocol/index.ts";

/** Tells a line's devices that somebody received or read its messages. */
export function deliverReceipt(
  context: Context,
  companions: readonly Companion[],
  ids: string[],
  attrs: {
    from: string;
    /** `read-self`: the owner read on the phone, and does not tell anybody. */
    type?: "read" | "played" | "read-self" | undefined;
    participant?: string | undefined;
    /** Whose chat it is, where the owner's own phone tells its devices. */
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

/** Receipts of one message differ by kind and by who gives them. */
export const receiptKey = ({ attrs }: Node, from = attrs["from"]): string =>
  `receipt:${attrs["id"] ?? ""}:${attrs["type"] ?? ""}:${from ?? ""}:${attrs["participant"] ?? ""}`;

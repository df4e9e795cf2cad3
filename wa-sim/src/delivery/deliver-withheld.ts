import type { Companion, Context } from "../network/index.ts";
import { node } from "../protocol/index.ts";
import { enqueueMessage } from "./deliver-message.ts";

/**
 * Messages without content for linked devices: those that WhatsApp shows only on the phone (view once, messages of Meta's
 * assistant and of hosted numbers), and those whose content is lost.
 */
export const WITHHELD = {
  viewOnce: () => node("unavailable", { type: "view_once" }),
  viewOnceFanout: () => node("unavailable", { type: "view_once_unavailable_fanout" }),
  botFanout: () => node("unavailable", { type: "bot_unavailable_fanout" }),
  hostedFanout: () => node("unavailable", { type: "hosted_unavailable_fanout" }),
  /** Encrypted under a secret that only the phone has. */
  msmsg: () => node("enc", { v: 2, type: "msmsg" }, Buffer.from("sealed for the phone")),
  nothing: () => undefined,
} as const;
export type Withheld = keyof typeof WITHHELD;

/** Queues a message without content for each of these linked devices. */
export function deliverWithheld(
  context: Context,
  companions: readonly Companion[],
  what: Withheld,
  attrs: Record<string, string | number | undefined>,
): void {
  for (const companion of companions) {
    const part = WITHHELD[what]();
    const stanza = node("message", { type: "text", t: context.seconds(), ...attrs }, part ? [part] : []);
    enqueueMessage(context, companion, { node: stanza });
  }
}

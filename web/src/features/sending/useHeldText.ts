import type { HoldReason } from "@prosa/contract/sending";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { sendingMessages } from "./sending.i18n.ts";

/** Why something that is due waits, and until when, in words; undefined where it does not. */
export function useHeldText(): (held: {
  readonly heldReason: HoldReason | null;
  readonly heldUntil: string | null;
}) => string | undefined {
  const t = useMessages(sendingMessages);
  const format = useFormat();
  return ({ heldReason, heldUntil }) =>
    heldReason === null || heldUntil === null
      ? undefined
      : t("heldUntil", { at: `${format.date(heldUntil)} ${format.time(heldUntil)}`, reason: t(`held_${heldReason}`) });
}

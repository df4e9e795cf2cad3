import type { Message } from "@prosa/contract/messages";
import { useQueryClient } from "@tanstack/react-query";
import { useConnectionStates } from "#web/features/connections/index.ts";
import { useOfMinute } from "#web/lib/browser/minute.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { conversationOptions } from "../messages.api.ts";
import { failureMessages } from "./failures.i18n.ts";
import { heldUntil } from "../held-until.ts";

/**
 * Why a queued message waits although its line works: WhatsApp keeps the line from starting conversations, and the contact has
 * not written for a while (P-04). Derived from what the browser has, so that the view of a message costs nothing more.
 */
export function HeldNotice({ message }: { readonly message: Message }) {
  const t = useMessages(failureMessages);
  const format = useFormat();
  const until = useHeldUntil(message);
  return until === "" ? null : (
    <Held role="status">{t("held", { at: `${format.date(until)} ${format.time(until)}` })}</Held>
  );
}

/** The end of the limit that holds the message; empty: none does. */
function useHeldUntil({ ticketId }: Message): string {
  const pages = useQueryClient().getQueryData(conversationOptions(ticketId).queryKey)?.pages;
  const ticket = pages?.[0]?.ticket;
  const line = useConnectionStates()?.find(({ id }) => id === ticket?.whatsappId);
  const messages = pages?.flatMap((page) => page.messages) ?? [];
  return useOfMinute((now) =>
    // It waits already, so what is not loaded does not matter.
    ticket ? heldUntil({ isGroup: ticket.isGroup, messages, hasOlder: false }, line?.health, now) : "",
  );
}

const Held = styled("p")({ margin: "2px 0 0", fontSize: 12, color: color.warningInk });

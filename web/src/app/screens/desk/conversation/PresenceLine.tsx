import { styled } from "#web/ui/styled.ts";
import type { WirePayload } from "@prosa/contract/events";
import { Eye } from "lucide-react";
import { useEffect } from "react";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { conversationMessages } from "#web/features/messages/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { useUser } from "#web/lib/session/session.ts";
import { color } from "#web/ui/theme.ts";

type Presence = WirePayload<"ticketPresence">;

/** Which colleagues view this conversation, and who is typing. */
export function PresenceLine({ ticketId }: { readonly ticketId: number }) {
  const t = useMessages(conversationMessages);
  const user = useUser();
  const [presence, setPresence] = useStateOf<Presence | undefined>(ticketId, undefined);

  useEffect(() => {
    return registerRealtime({
      ticketPresence: (event) => event.ticketId === ticketId && setPresence(event),
      // The contact's message arrived: they are not typing any more.
      appMessage: (event) => {
        if (event.action === "create" && event.message.ticketId === ticketId && !event.message.fromMe) {
          setPresence((known) => known && { ...known, contactTyping: false });
        }
      },
    });
  }, [ticketId, setPresence]);

  const others = presence?.viewers.filter(({ id }) => id !== user.id) ?? [];
  const writing = others.find(({ typing }) => typing);
  if (others.length === 0 && !presence?.contactTyping) {
    return null;
  }
  return (
    <Line role="status">
      <Eye aria-hidden />
      {presence?.contactTyping
        ? t("contactTyping")
        : writing
          ? t("typing", { name: writing.name })
          : t("alsoViewing", { names: others.map(({ name }) => name).join(", "), count: others.length })}
    </Line>
  );
}

const Line = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 6,
  padding: "0 4px 6px",
  fontSize: 12,
  color: color.ink2,
  "& svg": { width: 14, height: 14 },
});

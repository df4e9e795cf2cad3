import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { color } from "#web/ui/theme.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { quotedAuthor, quotedText } from "./quotation.ts";

/** What a message answers, above its text: a click goes there. */
export function QuotedMessage(props: {
  readonly quoted: NonNullable<Message["quotedMsg"]>;
  readonly onJump: (messageId: number) => void;
}) {
  const { quoted, onJump } = props;
  const t = useMessages(conversationMessages);
  const { id: myId } = useUser();
  return (
    <Quoted type="button" aria-label={t("jump")} onClick={() => onJump(quoted.id)}>
      <b>{quotedAuthor(quoted, myId, t)}</b>
      <span>{quotedText(quoted, t)}</span>
    </Quoted>
  );
}

const Quoted = styled("button")({
  display: "flex",
  flexDirection: "column",
  width: "100%",
  marginBottom: 4,
  padding: "4px 8px",
  border: 0,
  borderLeft: `3px solid ${color.accent}`,
  borderRadius: 6,
  backgroundColor: "color-mix(in srgb, currentColor 7%, transparent)",
  fontSize: 13,
  textAlign: "start",
  cursor: "pointer",
  "& b": { color: color.accent, fontSize: 12 },
  "& span": {
    display: "-webkit-box",
    WebkitLineClamp: 2,
    WebkitBoxOrient: "vertical",
    overflow: "hidden",
    color: color.ink2,
    overflowWrap: "anywhere",
    // Arabic and Hebrew begin at the right, as in the message itself
    unicodeBidi: "plaintext",
  },
});

import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { X } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { color } from "#web/ui/theme.ts";
import { quotedAuthor, quotedText } from "#web/features/messages/bubble/index.ts";
import { conversationMessages } from "#web/features/messages/messages.i18n.ts";

/** The message that is being answered or edited, above the text field. */
export function ReplyPreview(props: {
  readonly message: Message;
  readonly isEditing: boolean;
  readonly onCancel: () => void;
}) {
  const t = useMessages(conversationMessages);
  const { id: myId } = useUser();
  const { message, isEditing } = props;
  return (
    <Preview>
      <span>
        <b>{isEditing ? t("editing") : quotedAuthor(message, myId, t)}</b>
        <span>{quotedText(message, t)}</span>
      </span>
      <IconButton size="small" label={t("cancel")} onClick={props.onCancel}>
        <X />
      </IconButton>
    </Preview>
  );
}

const Preview = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  margin: "8px 8px 0",
  padding: "4px 4px 4px 10px",
  borderLeft: `3px solid ${color.accent}`,
  borderRadius: 6,
  backgroundColor: color.chip,
  fontSize: 13,
  "& > span": { flex: 1, minWidth: 0, display: "flex", flexDirection: "column" },
  "& b": { fontSize: 12, color: color.accent },
  "& > span > span": {
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
    color: color.ink2,
  },
});

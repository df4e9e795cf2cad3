import { styled } from "#web/ui/styled.ts";
import { chatRules } from "@prosa/contract/chats";
import { messageRules } from "@prosa/contract/messages";
import { SendHorizontal } from "lucide-react";
import { useRef, type KeyboardEvent } from "react";
import { isSendKey } from "#web/lib/browser/field-keys.ts";
import { drafts, useDraft } from "#web/lib/browser/drafts.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { EmojiButton } from "#web/ui/fields/EmojiButton.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { insertAtCursor } from "#web/ui/fields/textCursor.ts";
import { color, media, toastAnchor } from "#web/ui/theme.ts";
import { chatMessages } from "./chats.i18n.ts";
import { chatOutbox } from "./chat-outbox.browser.ts";

/** Writes a chat message: grows to five rows, Enter sends, Shift+Enter breaks the line. */
export function ChatComposer({ chatId }: { readonly chatId: number }) {
  const t = useMessages(chatMessages);
  const field = useRef<HTMLTextAreaElement>(null);
  const { text } = useDraft("chat", chatId);

  const write = (next: string) => drafts.write("chat", chatId, { text: next });
  const send = () => {
    chatOutbox.send(chatId, text);
    write("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isSendKey(event)) {
      send();
    }
  };

  return (
    <Root>
      <Field
        ref={field}
        rows={1}
        dir="auto"
        value={text}
        maxLength={chatRules.maxLetters}
        placeholder={t("write")}
        aria-label={t("write")}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <EmojiButton onChoose={(emoji) => field.current && insertAtCursor(field.current, emoji)} />
      <IconButton label={t("send")} shortcut="enter" disabled={text.trim() === ""} onClick={send}>
        <SendHorizontal />
      </IconButton>
    </Root>
  );
}

const Root = styled("div")({
  anchorName: toastAnchor,
  flex: "none",
  display: "flex",
  alignItems: "flex-end",
  gap: 4,
  padding: "8px 14px 12px",
  borderTop: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  [media.phone]: { padding: "6px 8px max(8px, env(safe-area-inset-bottom))" },
});
const Field = styled("textarea")({
  flex: 1,
  minWidth: 0,
  minHeight: 36,
  maxHeight: messageRules.maxRows * 20 + 16,
  padding: "7px 12px",
  border: `1px solid ${color.lineStrong}`,
  borderRadius: 10,
  outline: 0,
  resize: "none",
  fieldSizing: "content",
  backgroundColor: color.panel,
  color: color.ink,
  fontSize: 14,
  lineHeight: "20px",
  "&:focus": { borderColor: color.accent, boxShadow: `0 0 0 1px ${color.accent}` },
  "&::placeholder": { color: color.ink2, opacity: 0.8 },
  // iOS zooms the page into fields with a font below 16 px.
  [media.coarse]: { fontSize: 16 },
});

import { styled } from "#web/ui/styled.ts";
import type { QuickMessage } from "@prosa/contract/quick-messages";
import type { VariableName, VariableValues } from "@prosa/contract/variables";
import { ChevronDown, Mic, Paperclip, SendHorizontal, Signature } from "lucide-react";
import { useRef } from "react";
import { QuickReplyButton } from "#web/features/quick-messages/index.ts";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { EmojiButton } from "#web/ui/EmojiButton.tsx";
import { Switch } from "#web/ui/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { Tooltip } from "#web/ui/Tooltip.tsx";
import { color, media } from "#web/ui/theme.ts";
import { VariableButton } from "#web/ui/VariableButton.tsx";
import { conversationMessages } from "../messages.i18n.ts";
import { laterMessages } from "./later.i18n.ts";

/** The toolbar below the text field: attachments, emoji, quick replies, variables, signature, voice, send. */
export function ComposerTools(props: {
  readonly isEditing: boolean;
  readonly isSaving: boolean;
  readonly isSigned: boolean;
  readonly onSign: (isOn: boolean) => void;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onEmoji: (emoji: string) => void;
  readonly onQuickReply: (one: QuickMessage) => void;
  readonly variables: () => VariableValues;
  readonly onVariable: (name: VariableName) => void;
  readonly onRecord: () => void;
  readonly onSend: () => void;
  readonly onLater: (() => void) | undefined;
}) {
  const t = useMessages(conversationMessages);
  const laterTexts = useMessages(laterMessages);
  const isPhone = useMedia(media.phone);
  const picker = useRef<HTMLInputElement>(null);

  return (
    <Tools>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        data-testid="attach-input"
        onChange={(event) => {
          props.onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <IconButton label={t("attach")} onClick={() => picker.current?.click()} disabled={props.isEditing}>
        <Paperclip />
      </IconButton>
      <EmojiButton onChoose={props.onEmoji} />
      <QuickReplyButton onChoose={props.onQuickReply} disabled={props.isEditing} />
      <VariableButton align="start" values={props.variables} onChoose={props.onVariable} />
      <Tooltip text={t("signHint")}>
        <Sign>
          <Switch
            checked={props.isSigned}
            aria-label={t("sign")}
            onChange={(event) => props.onSign(event.target.checked)}
          />
          {isPhone ? <Signature aria-hidden /> : <span aria-hidden>{t("sign")}</span>}
        </Sign>
      </Tooltip>
      <Push />
      <IconButton label={t("record")} onClick={props.onRecord} disabled={props.isEditing}>
        <Mic />
      </IconButton>
      <Button
        kind="primary"
        isBusy={props.isSaving}
        onClick={props.onSend}
        {...(isPhone ? { "aria-label": t(props.isEditing ? "saveEdit" : "send") } : { shortcut: "enter" })}
      >
        {isPhone ? <SendHorizontal size={18} aria-hidden /> : t(props.isEditing ? "saveEdit" : "send")}
      </Button>
      {props.onLater && (
        <Later>
          <IconButton label={laterTexts("later")} onClick={props.onLater}>
            <ChevronDown />
          </IconButton>
        </Later>
      )}
    </Tools>
  );
}

const Tools = styled("div")({ display: "flex", alignItems: "center", gap: 2, padding: "2px 8px 8px 6px" });
const Later = styled("span")({ display: "flex", "& > button": { width: 28 } });
const Push = styled("span")({ flex: 1 });
const Sign = styled("label")({
  display: "inline-flex",
  alignItems: "center",
  gap: 6,
  marginLeft: 6,
  fontSize: 13,
  color: color.ink2,
  cursor: "pointer",
  "& svg": { width: 18, height: 18, strokeWidth: 1.75 },
});

import { Braces, Clock, Mic, Paperclip, SendHorizontal, Signature, Sparkles, StickyNote, Zap } from "lucide-react";
import { useRef } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { EmojiButton } from "#web/ui/fields/EmojiButton.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ActionMenu, type MenuAction } from "#web/ui/Menu.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, size, visuallyHidden } from "#web/ui/theme.ts";
import { VariableButton } from "#web/ui/fields/VariableButton.tsx";
import { conversationMessages } from "../messages.i18n.ts";
import { composerMessages } from "./composer.i18n.ts";
import type { ComposerToolsProps } from "./ComposerTools.tsx";
import { FilePicker } from "./files/FilePicker.tsx";
import { RoundButton } from "./RoundButton.tsx";

/** One row on a phone: a menu with the rarer tools, the text, emoji, and voice until there is something to send. */
export function PhoneTools(props: ComposerToolsProps) {
  const t = useMessages(conversationMessages);
  const texts = useMessages(composerMessages);
  const picker = useRef<HTMLInputElement>(null);
  const variables = useRef<HTMLSpanElement>(null);
  const assist = useRef<HTMLSpanElement>(null);

  const actions: MenuAction[] = [
    {
      key: "attach",
      label: t("attach"),
      icon: <Paperclip />,
      disabled: props.isEditing,
      onSelect: () => picker.current?.click(),
    },
    {
      key: "quick",
      label: texts("quickReplies"),
      icon: <Zap />,
      disabled: props.isEditing || props.hasContent,
      onSelect: props.onSearchQuickReply,
    },
    {
      key: "variables",
      label: texts("variables"),
      icon: <Braces />,
      onSelect: () => variables.current?.querySelector("button")?.click(),
    },
    {
      key: "sign",
      label: texts("signs", { name: props.name }),
      icon: <Signature />,
      isSelected: props.isSigned,
      disabled: props.isEditing,
      onSelect: () => props.onSign(!props.isSigned),
    },
    ...(props.assist
      ? [
          {
            key: "assist",
            label: texts("assist"),
            icon: <Sparkles />,
            disabled: props.isEditing,
            onSelect: () => assist.current?.querySelector("button")?.click(),
          },
        ]
      : []),
    ...(props.onLater ? [{ key: "later", label: texts("later"), icon: <Clock />, onSelect: props.onLater }] : []),
    ...(props.onNote
      ? [{ key: "note", label: texts("writeANote"), icon: <StickyNote />, onSelect: props.onNote }]
      : []),
  ];

  return (
    <Pill>
      <FilePicker ref={picker} onFiles={props.onFiles} />
      <ActionMenu
        align="start"
        actions={actions}
        opener={(opener) => (
          <IconButton label={texts("more")} {...opener}>
            <Paperclip />
          </IconButton>
        )}
      />
      {props.children}
      <EmojiButton onChoose={props.onEmoji} />
      {/* opened from the menu above */}
      <Hidden ref={variables} inert>
        <VariableButton align="start" values={props.variables} onChoose={props.onVariable} />
      </Hidden>
      {props.assist && (
        <Hidden ref={assist} inert>
          {props.assist}
        </Hidden>
      )}
      {props.hasContent ? (
        <RoundButton
          label={t(props.isEditing ? "saveEdit" : "send")}
          isBusy={props.isBusy}
          icon={<SendHorizontal />}
          onClick={props.onSend}
        />
      ) : (
        <RoundButton label={t("record")} icon={<Mic />} onClick={props.onRecord} />
      )}
    </Pill>
  );
}

export const Pill = styled("div")({
  display: "flex",
  alignItems: "flex-end",
  gap: 0,
  padding: 2,
  "& > button": { flex: "none", width: size.finger, height: size.finger },
});
const Hidden = styled("span")({ ...visuallyHidden, left: 8, color: color.ink2 });

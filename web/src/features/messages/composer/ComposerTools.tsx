import { styled } from "#web/ui/styled.ts";
import type { QuickMessage } from "@prosa/contract/quick-messages";
import type { VariableName, VariableValues } from "@prosa/contract/variables";
import { Clock, Mic, Paperclip } from "lucide-react";
import { memo, useRef, type ReactNode } from "react";
import { QuickReplyButton } from "#web/features/quick-messages/index.ts";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { EmojiButton } from "#web/ui/fields/EmojiButton.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { Tooltip } from "#web/ui/Tooltip.tsx";
import { color, media, size, visuallyHidden } from "#web/ui/theme.ts";
import { VariableButton } from "#web/ui/fields/VariableButton.tsx";
import { conversationMessages } from "../messages.i18n.ts";
import { composerMessages } from "./composer.i18n.ts";
import { FilePicker } from "./files/FilePicker.tsx";

export interface ComposerToolsProps {
  /** Who signs. */
  readonly name: string;
  readonly isEditing: boolean;
  /** An edit is being saved, or a reply waits for its file. */
  readonly isBusy: boolean;
  /** Is there something to send? */
  readonly hasContent: boolean;
  readonly isSigned: boolean;
  readonly onSign: (isOn: boolean) => void;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onEmoji: (emoji: string) => void;
  readonly onQuickReply: (one: QuickMessage) => void;
  /** Searches a quick reply by typing, where there is no button for them. */
  readonly onSearchQuickReply: () => void;
  readonly variables: () => VariableValues;
  readonly onVariable: (name: VariableName) => void;
  readonly onRecord: () => void;
  readonly onSend: () => void;
  readonly onLater: (() => void) | undefined;
  readonly onNote: (() => void) | undefined;
  /** The button for drafts of a language model; undefined where the company has none. The same node until it changes. */
  readonly assist?: ReactNode;
  /** The text field. */
  readonly children: ReactNode;
}

/** The text field and below it one row: attach, emoji, quick replies, variables, voice, signature, send. */
export function ComposerTools(props: ComposerToolsProps) {
  const { name, isEditing, isBusy, isSigned, assist } = props;
  const verbs = useStableCallback(() => props);
  return (
    <>
      {props.children}
      <ToolsRow {...{ name, isEditing, isBusy, isSigned, assist, verbs }} hasLater={props.onLater !== undefined} />
    </>
  );
}

/** Not rendered with each letter, nor with each conversation: `verbs` are looked up when they are used. */
const ToolsRow = memo(function ToolsRow({
  verbs,
  hasLater,
  ...props
}: Pick<ComposerToolsProps, "name" | "isEditing" | "isBusy" | "isSigned" | "assist"> & {
  readonly verbs: () => ComposerToolsProps;
  readonly hasLater: boolean;
}) {
  const t = useMessages(conversationMessages);
  const texts = useMessages(composerMessages);
  const picker = useRef<HTMLInputElement>(null);

  return (
    <Tools>
      <FilePicker ref={picker} onFiles={(files) => verbs().onFiles(files)} />
      <IconButton label={t("attach")} onClick={() => picker.current?.click()} disabled={props.isEditing}>
        <Paperclip />
      </IconButton>
      <EmojiButton onChoose={(emoji) => verbs().onEmoji(emoji)} />
      <QuickReplyButton onChoose={(one) => verbs().onQuickReply(one)} disabled={props.isEditing} />
      <VariableButton
        align="start"
        values={() => verbs().variables()}
        onChoose={(variable) => verbs().onVariable(variable)}
      />
      <IconButton label={t("record")} onClick={() => verbs().onRecord()} disabled={props.isEditing}>
        <Mic />
      </IconButton>
      {!props.isEditing && props.assist}
      {!props.isEditing && (
        <SignatureSwitch name={props.name} isOn={props.isSigned} onSwitch={(isOn) => verbs().onSign(isOn)} />
      )}
      <Push />
      <SendGroup data-split={hasLater || undefined}>
        <Button kind="primary" isBusy={props.isBusy} shortcut="enter" onClick={() => verbs().onSend()}>
          {t(props.isEditing ? "saveEdit" : "send")}
        </Button>
        {hasLater && (
          <Tooltip text={texts("later")}>
            <Later type="button" aria-label={texts("later")} onClick={() => verbs().onLater?.()}>
              <Clock aria-hidden />
            </Later>
          </Tooltip>
        )}
      </SendGroup>
    </Tools>
  );
});

/** "assina Paula": whether the name goes before the message (M-11). */
function SignatureSwitch(props: {
  readonly name: string;
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
}) {
  const texts = useMessages(composerMessages);
  const [before, after] = texts("signs", { name: "\u0000" }).split("\u0000");
  return (
    <Tooltip text={texts("signsHint")}>
      <Signature type="button" role="switch" aria-checked={props.isOn} onClick={() => props.onSwitch(!props.isOn)}>
        <span>{before}</span>
        <b>{props.name.trim().split(/\s+/u)[0]}</b>
        <span>{after}</span>
      </Signature>
    </Tooltip>
  );
}

export const Tools = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 2,
  padding: "2px 8px 8px 6px",
  containerType: "inline-size",
});
export const Push = styled("span")({ flex: 1 });

const Signature = styled("button")({
  minWidth: 0,
  minHeight: 32,
  padding: "4px 8px",
  border: 0,
  borderRadius: 8,
  background: "none",
  fontSize: 13,
  color: color.ink2,
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
  cursor: "pointer",
  "& b": { fontWeight: 600, color: color.ink },
  "@container (max-width: 470px)": { padding: "4px 2px", "& > span": visuallyHidden },
  "&:hover": { backgroundColor: color.hover },
  "&[aria-checked='false'], &[aria-checked='false'] b": { color: color.ink2, textDecoration: "line-through" },
  [media.coarse]: { minWidth: size.finger, minHeight: size.finger },
});

const SendGroup = styled("span")({
  flex: "none",
  display: "flex",
  "&[data-split] > button:first-child": { borderTopRightRadius: 0, borderBottomRightRadius: 0 },
});

const Later = styled("button")({
  display: "grid",
  placeItems: "center",
  width: 34,
  border: 0,
  borderLeft: `1px solid color-mix(in srgb, ${color.onAccent} 45%, transparent)`,
  borderRadius: "0 8px 8px 0",
  backgroundColor: color.accent,
  color: color.onAccent,
  cursor: "pointer",
  "&:hover": { backgroundColor: color.accentHover },
  "& svg": { width: 16, height: 16 },
  [media.coarse]: { width: size.finger },
});

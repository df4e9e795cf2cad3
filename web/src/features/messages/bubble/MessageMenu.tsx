import type { Message } from "@prosa/contract/messages";
import { Copy, History, Pencil, Reply, RotateCw, Trash2 } from "lucide-react";
import type { Ref } from "react";
import { serverNow } from "#web/lib/session/clock.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { chevronDownGlyph } from "#web/ui/glyphs.tsx";
import { OpenMenu, type MenuAction } from "#web/ui/Menu.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media, size } from "#web/ui/theme.ts";
import { useCopy } from "#web/ui/useCopy.ts";
import { useOpener } from "#web/ui/useOpener.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { unsignedText } from "../unsigned-text.ts";
import { isEditable, isRemovable } from "./own-changes.ts";
import { revealOnHover } from "./useLongPressMenu.ts";

/** The quick reactions of WhatsApp's own clients. */
export const quickReactions = ["👍", "❤️", "😂", "😮", "😢", "🙏"] as const;

export interface MessageVerbs {
  readonly onQuote: (message: Message) => void;
  readonly onEdit: (message: Message) => void;
  readonly onRemove: (message: Message) => void;
  readonly onReact: (message: Message, emoji: string) => void;
  readonly onHistory: (message: Message) => void;
}

export interface MessageMenuProps {
  readonly message: Message;
  /** May this person write here? Otherwise only read-only actions are offered. */
  readonly canWrite: boolean;
  readonly verbs: MessageVerbs;
  /** Beside an own bubble, beside another's, or in a tile of an album. */
  readonly corner: "own" | "theirs" | "tile";
  readonly ref: Ref<HTMLButtonElement>;
}

/**
 * The menu button of a message, at the corner of its bubble or tile: reactions and actions. Renders nothing when no action is
 * possible. What it offers is worked out when it opens: it stands in every bubble, and few are opened.
 */
export function MessageMenu(props: MessageMenuProps) {
  const { message, canWrite, corner, ref } = props;
  const t = useMessages(conversationMessages);
  const { anchor, opener, close } = useOpener("menu");
  const hasActions = !message.isDeleted && (canWrite || message.body !== "" || message.isEdited);

  return hasActions ? (
    <>
      <Corner
        ref={ref}
        type="button"
        aria-label={t("actions")}
        data-tooltip={t("actions")}
        data-corner={corner}
        {...opener}
      >
        {chevronDownGlyph}
      </Corner>
      {anchor && <OpenMessageMenu {...props} anchor={anchor} onClose={close} />}
    </>
  ) : null;
}

function OpenMessageMenu(props: MessageMenuProps & { readonly anchor: HTMLElement; readonly onClose: () => void }) {
  const { message, canWrite, verbs, anchor, onClose } = props;
  const t = useMessages(conversationMessages);
  const actions = useActions(props);
  const reactions = {
    key: "reactions",
    row: quickReactions.map((emoji) => ({
      key: emoji,
      label: (
        <span role="img" aria-label={t("reactWith", { emoji })}>
          {emoji}
        </span>
      ),
      onSelect: () => verbs.onReact(message, emoji),
    })),
  };
  return <OpenMenu actions={canWrite ? [reactions, "line", ...actions] : actions} anchor={anchor} onClose={onClose} />;
}

function useActions({ message, verbs, canWrite }: MessageMenuProps): MenuAction[] {
  const t = useMessages(conversationMessages);
  const copyText = useCopy();
  if (message.isDeleted) {
    return [];
  }
  const now = serverNow();
  const mine = message.reactions.some((reaction) => reaction.fromMe);
  const copy: MenuAction = {
    key: "copy",
    label: t("copy"),
    icon: <Copy />,
    onSelect: () => void copyText(unsignedText(message), t("copied")),
  };
  return [
    ...(canWrite ? [{ key: "quote", label: t("quote"), icon: <Reply />, onSelect: () => verbs.onQuote(message) }] : []),
    ...(message.body === "" ? [] : [copy]),
    ...(canWrite && mine
      ? [{ key: "unreact", label: t("unreact"), icon: <RotateCw />, onSelect: () => verbs.onReact(message, "") }]
      : []),
    ...(message.isEdited
      ? [{ key: "history", label: t("history"), icon: <History />, onSelect: () => verbs.onHistory(message) }]
      : []),
    ...(canWrite && isEditable(message, now)
      ? [{ key: "edit", label: t("edit"), icon: <Pencil />, onSelect: () => verbs.onEdit(message) }]
      : []),
    ...(canWrite && isRemovable(message, now)
      ? [
          {
            key: "remove",
            label: t("remove"),
            icon: <Trash2 />,
            isDangerous: true,
            onSelect: () => verbs.onRemove(message),
          },
        ]
      : []),
  ];
}

const Corner = styled("button")({
  position: "absolute",
  top: 2,
  display: "grid",
  placeItems: "center",
  width: 30,
  height: 30,
  padding: 0,
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  backgroundColor: color.raised,
  color: color.ink2,
  cursor: "pointer",
  "& svg": { width: 16, height: 16, strokeWidth: 1.75 },
  "&:hover, &[aria-expanded='true']": { backgroundColor: color.hover, color: color.ink },
  "&:focus-visible": { outlineOffset: -2 },
  "&[data-corner='own']": { left: -34 },
  "&[data-corner='theirs']": { right: -34 },
  "&[data-corner='tile']": { top: 4, right: 4, width: 28, height: 28, border: 0 },
  [media.coarse]: {
    "&, &[data-corner='tile']": { width: size.finger, height: size.finger },
    "&[data-corner='own']": { left: -size.finger - 4 },
    "&[data-corner='theirs']": { right: -size.finger - 4 },
  },
  ...revealOnHover,
});

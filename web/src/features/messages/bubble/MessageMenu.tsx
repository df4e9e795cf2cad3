import { messageRules, type Message } from "@prosa/contract/messages";
import { ChevronDown, Copy, History, Pencil, Reply, RotateCw, Trash2 } from "lucide-react";
import { serverNow } from "#web/lib/session/clock.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ActionMenu, type MenuAction } from "#web/ui/Menu.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { conversationMessages } from "../messages.i18n.ts";

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
}

/** The menu button of a message: reactions and actions. Renders nothing when no action is possible. */
export function MessageMenu(props: MessageMenuProps) {
  const { message, canWrite, verbs } = props;
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

  return actions.length === 0 ? null : (
    <ActionMenu
      actions={canWrite ? [reactions, "line", ...actions] : actions}
      opener={(opener) => (
        <IconButton size="small" label={t("actions")} {...opener}>
          <ChevronDown />
        </IconButton>
      )}
    />
  );
}

function useActions({ message, verbs, canWrite }: MessageMenuProps): MenuAction[] {
  const t = useMessages(conversationMessages);
  if (message.isDeleted) {
    return [];
  }
  const age = serverNow() - Date.parse(message.createdAt);
  const isSent = message.fromMe && message.ack > 0;
  const mine = message.reactions.some((reaction) => reaction.fromMe);
  const copy: MenuAction = {
    key: "copy",
    label: t("copy"),
    icon: <Copy />,
    onSelect: () => void navigator.clipboard.writeText(message.body).then(() => toast.success(t("copied"))),
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
    ...(canWrite && isSent && message.mediaType === "chat" && age < messageRules.editWithinMs
      ? [{ key: "edit", label: t("edit"), icon: <Pencil />, onSelect: () => verbs.onEdit(message) }]
      : []),
    ...(canWrite && isSent && age < messageRules.deleteWithinMs
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

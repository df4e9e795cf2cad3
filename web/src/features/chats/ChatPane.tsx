import { styled } from "#web/ui/styled.ts";
import type { Chat } from "@prosa/contract/chats";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, MessageSquareOff, Pencil, Trash2 } from "lucide-react";
import { useEffect } from "react";
import { useShownConversation } from "#web/lib/browser/shown-conversation.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Button } from "#web/ui/Button.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { EmptyState, ErrorState, ProgressBar } from "#web/ui/states.tsx";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { chatOptions, markChatRead, useRemoveChat } from "./chats.api.ts";
import { unreadOf } from "./chats.cache.ts";
import { chatMessages } from "./chats.i18n.ts";
import { ChatComposer } from "./ChatComposer.tsx";
import { ChatConversation } from "./ChatConversation.tsx";
import { memberNames } from "./ChatList.tsx";

export interface ChatPaneProps {
  readonly uuid: string;
  readonly onEdit: (chat: Chat) => void;
  readonly onLeave: () => void;
  /** Alone on a phone's screen: the way back. */
  readonly onBack?: (() => void) | undefined;
}

/** The open chat: members, messages, composer. It is marked as read while it is visible (O-06). */
export function ChatPane({ uuid, onEdit, onLeave, onBack }: ChatPaneProps) {
  const t = useMessages(chatMessages);
  const { data: chat, isPending, error, refetch } = useQuery(chatOptions(uuid));
  useShownConversation(uuid);

  if (isPending) {
    return <ProgressBar label={t("messages")} />;
  }
  if (chat === undefined) {
    return <ErrorState title={t("messagesFailed")} error={error} onRetry={() => void refetch()} />;
  }
  if (chat === null) {
    return (
      <EmptyState
        icon={<MessageSquareOff />}
        title={t("gone")}
        text={t("goneText")}
        action={<Button onClick={onLeave}>{t("toList")}</Button>}
      />
    );
  }
  return (
    <>
      <MarkReadWhileVisible chat={chat} />
      <Header chat={chat} onEdit={() => onEdit(chat)} onLeave={onLeave} onBack={onBack} />
      <ChatConversation key={chat.id} chatId={chat.id} />
      <ChatComposer key={`write-${chat.id}`} chatId={chat.id} />
    </>
  );
}

/** Marks the chat as read while it is open in a visible tab. Renders nothing. */
function MarkReadWhileVisible({ chat }: { readonly chat: Chat }) {
  const user = useUser();
  const unread = unreadOf(chat, user.id);
  useEffect(() => {
    const read = () => {
      if (document.visibilityState === "visible" && unread > 0) {
        markChatRead(chat.id, user.id);
      }
    };
    read();
    document.addEventListener("visibilitychange", read);
    return () => document.removeEventListener("visibilitychange", read);
  }, [chat.id, unread, user.id]);
  return null;
}

function Header(
  props: Pick<ChatPaneProps, "onLeave" | "onBack"> & { readonly chat: Chat; readonly onEdit: () => void },
) {
  const { chat, onEdit, onLeave, onBack } = props;
  const t = useMessages(chatMessages);
  const { id: userId } = useUser();
  const remove = useRemoveChat();
  const members = memberNames(chat, userId, t("you"));
  // the server enforces it; without an owner every member may change the chat
  const mayChange = chat.ownerId === null || chat.ownerId === userId;
  const removeAfterConfirm = async () => {
    const isDone = await confirm({
      title: t("removeTitle", { title: chat.title }),
      text: t("removeText"),
      verb: t("removeVerb"),
      isDangerous: true,
      run: () => remove.mutateAsync(chat.id),
    });
    if (isDone) {
      toast.success(t("removed"));
      onLeave();
    }
  };

  return (
    <Head>
      {onBack && (
        <IconButton label={t("toList")} onClick={onBack}>
          <ArrowLeft />
        </IconButton>
      )}
      <Avatar name={chat.title} size={36} />
      <div>
        <h2 title={chat.title}>{chat.title}</h2>
        <p title={members}>{members}</p>
      </div>
      {mayChange && (
        <>
          <IconButton label={t("edit")} onClick={onEdit}>
            <Pencil />
          </IconButton>
          <IconButton label={t("remove")} onClick={() => void removeAfterConfirm()}>
            <Trash2 />
          </IconButton>
        </>
      )}
    </Head>
  );
}

const ellipsis = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;
const Head = styled("header")({
  flex: "none",
  display: "flex",
  alignItems: "center",
  gap: 10,
  minHeight: 59,
  padding: "8px 12px 8px 16px",
  borderBottom: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  "& > div": { flex: 1, minWidth: 0 },
  "& h2": { fontSize: 15, fontWeight: 600, ...ellipsis },
  "& p": { fontSize: 12, color: color.ink2, ...ellipsis },
});

import { styled } from "#web/ui/styled.ts";
import { MessageSquare } from "lucide-react";
import { leaveFor } from "#web/lib/browser/leave-guard.ts";
import { ChatRow, chatMessages, chatsRealtime, useUnreadChats } from "#web/features/chats/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { hasFeature } from "#web/lib/session/permissions.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { useUser } from "#web/lib/session/session.ts";
import { BellHead, BellEmpty } from "#web/ui/BellPanel.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { Popover } from "#web/ui/Popover.tsx";
import { color } from "#web/ui/theme.ts";

// registered on every screen, not only on the chats
registerRealtime(chatsRealtime);

/** The chats bell of the top bar (S-04): the unread chats and their number. */
export function ChatBell() {
  return hasFeature(useUser(), "useInternalChat") ? <Bell /> : null;
}

/** The dot beside the menu's entry (S-06). */
export function ChatDot() {
  const t = useMessages(chatMessages);
  return useUnreadChats().count > 0 ? (
    <Dot role="img" aria-label={t("somethingUnread")} title={t("somethingUnread")} />
  ) : null;
}

function Bell() {
  const t = useMessages(chatMessages);
  const { records: chats, count } = useUnreadChats();
  return (
    <Popover
      label={t("bell")}
      opener={(opener) => (
        <IconButton label={t("bell")} badge={count} {...opener}>
          <MessageSquare />
        </IconButton>
      )}
    >
      {(close) => (
        <>
          <BellHead>
            <h2>{t("bell")}</h2>
          </BellHead>
          {chats.length === 0 ? (
            <BellEmpty title={t("bellNothing")} text={t("bellNothingText")} />
          ) : (
            <List>
              {chats.map((chat) => (
                <li key={chat.id}>
                  <ChatRow
                    chat={chat}
                    onOpen={() => {
                      close();
                      leaveFor(`/chats/${chat.uuid}`);
                    }}
                  />
                </li>
              ))}
            </List>
          )}
        </>
      )}
    </Popover>
  );
}

const Dot = styled("i")({ flex: "none", width: 8, height: 8, borderRadius: "50%", backgroundColor: color.accent });
const List = styled("ul")({
  margin: 0,
  padding: 0,
  listStyle: "none",
  maxHeight: 420,
  overflowY: "auto",
  "& li:last-child > button": { borderBottom: 0 },
});

import type { Chat } from "@prosa/contract/chats";
import { MessageSquare } from "lucide-react";
import { useEffect, useState } from "react";
import { navigate } from "#web/lib/routing/location.ts";
import { useParams } from "#web/lib/routing/router.tsx";
import { ChatDialog, ChatList, chatMessages, ChatPane, chatsRealtime } from "#web/features/chats/index.ts";
import { useFrameWish } from "#web/lib/browser/frame.ts";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { NothingSelected, SideBySide } from "#web/ui/SideBySide.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { media, size } from "#web/ui/theme.ts";

registerRealtime(chatsRealtime);

/** Below this width chats and messages are two tabs (O-06). */
const sideBySide = "(min-width: 900px)";

/** /chats: the internal chat of the company's users, with the list at the left and the messages at the right. */
export function Chats() {
  const t = useMessages(chatMessages);
  const { chatUuid } = useParams();
  const isWide = useMedia(sideBySide);
  const isPhone = useMedia(media.phone);
  const [tab, setTab] = useState<"chats" | "messages">(chatUuid ? "messages" : "chats");
  const [form, setForm] = useState<{ readonly chat: Chat | undefined }>();
  const isAlone = isPhone && chatUuid !== undefined && tab === "messages";
  useFrameWish({ minWidth: chatUuid === undefined || !isWide ? 0 : size.ticketList + size.conversation, isAlone });
  useEffect(() => setTab(chatUuid ? "messages" : "chats"), [chatUuid]);

  const open = ({ uuid }: Chat) => {
    setTab("messages");
    navigate(`/chats/${uuid}`);
  };
  const list = <ChatList activeUuid={chatUuid} onOpen={open} onAdd={() => setForm({ chat: undefined })} />;
  const pane = chatUuid ? (
    <ChatPane
      key={chatUuid}
      uuid={chatUuid}
      onEdit={(chat) => setForm({ chat })}
      onBack={isAlone ? () => navigate("/chats") : undefined}
      onLeave={() => navigate("/chats")}
    />
  ) : (
    <NothingSelected>
      <EmptyState icon={<MessageSquare />} title={t("chooseTitle")} text={t("chooseText")} />
    </NothingSelected>
  );

  return (
    <>
      <SideBySide
        isWide={isWide}
        list={list}
        pane={pane}
        tabsLabel={t("view")}
        tabs={[
          { key: "chats", label: t("tabChats") },
          { key: "messages", label: t("tabMessages") },
        ]}
        listTab="chats"
        selected={tab}
        onSelect={setTab}
        isAlone={isAlone}
      />
      {form && <ChatDialog chat={form.chat} onSaved={open} onClose={() => setForm(undefined)} />}
    </>
  );
}

import type { Chat } from "@prosa/contract/chats";
import { MessageSquare } from "lucide-react";
import { useEffect, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { navigate, useLocation, useSearchParams } from "#web/lib/routing/location.ts";
import { useParams } from "#web/lib/routing/router.tsx";
import {
  ChatDialog,
  ChatList,
  chatMessages,
  chatOfTwoOptions,
  ChatPane,
  chatsRealtime,
} from "#web/features/chats/index.ts";
import { useFrameWish } from "#web/lib/browser/frame.ts";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { useUser } from "#web/lib/session/session.ts";
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
  const [form, setForm] = useState<{ readonly chat: Chat | undefined; readonly withId?: number }>();
  const isAlone = isPhone && chatUuid !== undefined && tab === "messages";
  useFrameWish({ minWidth: chatUuid === undefined || !isWide ? 0 : size.ticketList + size.conversation, isAlone });
  // with the place: a notification or the bell may open the chat whose pane the list covers
  const place = useLocation();
  useEffect(() => setTab(chatUuid ? "messages" : "chats"), [chatUuid, place]);

  const open = ({ uuid }: Chat) => {
    setTab("messages");
    navigate(`/chats/${uuid}`);
  };
  useChatWith(open, (withId) => setForm({ chat: undefined, withId }));

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
      {form && <ChatDialog chat={form.chat} withId={form.withId} onSaved={open} onClose={() => setForm(undefined)} />}
    </>
  );
}

/** `/chats?with=3` opens the chat with a colleague, or the dialog that begins one. */
function useChatWith(open: (chat: Chat) => void, begin: (userId: number) => void): void {
  const { id: userId } = useUser();
  const [parameters] = useSearchParams();
  const withId = Number(parameters.get("with"));
  const { data: known } = useQuery(chatOfTwoOptions(userId, withId));
  const isAnswered = known !== undefined;
  const go = useStableCallback(() => {
    navigate("/chats", { replace: true });
    if (known) {
      open(known);
    } else {
      begin(withId);
    }
  });
  useEffect(() => {
    if (withId > 0 && isAnswered) {
      go();
    }
  }, [withId, isAnswered, go]);
}

import { styled } from "#web/ui/styled.ts";
import type { Chat } from "@prosa/contract/chats";
import { MessageSquare } from "lucide-react";
import { useEffect, useState } from "react";
import { useNavigate, useParams } from "react-router";
import { ChatDialog, ChatList, chatMessages, ChatPane, chatsRealtime } from "#web/features/chats/index.ts";
import { useMedia } from "#web/lib/hooks.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { registerRealtime } from "#web/lib/realtime.ts";
import { EmptyState } from "#web/ui/states.tsx";
import { Tabs } from "#web/ui/Tabs.tsx";
import { color, size } from "#web/ui/theme.ts";

registerRealtime(chatsRealtime);

/** Narrower than this, chats and messages do not fit side by side: two tabs (O-06). */
const sideBySide = "(min-width: 900px)";

/** /chats: internal chat of the company's people. The list on the left, the messages on the right. */
export function Chats() {
  const t = useMessages(chatMessages);
  const { chatUuid } = useParams();
  const navigate = useNavigate();
  const isWide = useMedia(sideBySide);
  const [tab, setTab] = useState<"chats" | "messages">(chatUuid ? "messages" : "chats");
  const [form, setForm] = useState<{ readonly chat: Chat | undefined }>();
  useEffect(() => setTab(chatUuid ? "messages" : "chats"), [chatUuid]);

  const open = ({ uuid }: Chat) => {
    setTab("messages");
    void navigate(`/chats/${uuid}`);
  };
  const list = <ChatList selectedUuid={chatUuid} onOpen={open} onAdd={() => setForm({ chat: undefined })} />;
  const pane = chatUuid ? (
    <ChatPane
      key={chatUuid}
      uuid={chatUuid}
      onEdit={(chat) => setForm({ chat })}
      onLeave={() => void navigate("/chats")}
    />
  ) : (
    <Nothing>
      <EmptyState icon={<MessageSquare />} title={t("chooseTitle")} text={t("chooseText")} />
    </Nothing>
  );

  return (
    <>
      {isWide ? (
        <Split>
          <Left>{list}</Left>
          <Right>{pane}</Right>
        </Split>
      ) : (
        <Narrow>
          <NarrowTabs>
            <Tabs
              label={t("view")}
              tabs={[
                { key: "chats", label: t("tabChats") },
                { key: "messages", label: t("tabMessages") },
              ]}
              selected={tab}
              onSelect={setTab}
            />
          </NarrowTabs>
          {tab === "chats" ? list : pane}
        </Narrow>
      )}
      {form && <ChatDialog chat={form.chat} onSaved={open} onClose={() => setForm(undefined)} />}
    </>
  );
}

const Split = styled("div")({ display: "flex", height: "100%" });
const Left = styled("section")({
  flex: "none",
  width: size.ticketList,
  minHeight: 0,
  display: "flex",
  flexDirection: "column",
  borderRight: `1px solid ${color.line}`,
  backgroundColor: color.panel,
});
const Right = styled("section")({ flex: 1, minWidth: 0, display: "flex", flexDirection: "column" });
const Narrow = styled("div")({
  display: "flex",
  flexDirection: "column",
  height: "100%",
  backgroundColor: color.panel,
});
const NarrowTabs = styled("div")({
  flex: "none",
  borderBottom: `1px solid ${color.line}`,
  "& [role=tablist] > button": { flex: 1, justifyContent: "center" },
});
const Nothing = styled("div")({ flex: 1, display: "grid", placeItems: "center", backgroundColor: color.background });

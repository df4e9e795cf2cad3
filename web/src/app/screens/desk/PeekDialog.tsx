import { Dialog } from "#web/ui/Dialog.tsx";
import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import type { Ticket } from "@prosa/contract/tickets";
import { X } from "lucide-react";
import { useMemo, useState } from "react";
import { Conversation, conversationMessages, MessageDialogs } from "#web/features/messages/index.ts";
import { useMedia } from "#web/lib/hooks.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { color, media } from "#web/ui/theme.ts";

/** An admin reads a waiting conversation without accepting it and without the contact noticing (T-07). */
export function PeekDialog(props: {
  readonly ticket: Ticket;
  readonly onClose: () => void;
  readonly onFailed: (error: unknown) => void;
}) {
  const { ticket, onClose } = props;
  const t = useMessages(conversationMessages);
  const isPhone = useMedia(media.phone);
  const [photo, setPhoto] = useState<Message>();
  const [edited, setEdited] = useState<Message>();
  const verbs = useMemo(() => {
    const nothing = () => undefined;
    return {
      onOpenPhoto: setPhoto,
      onHistory: setEdited,
      onRefetch: nothing,
      onQuote: nothing,
      onEdit: nothing,
      onRemove: nothing,
      onRetry: nothing,
      onReact: nothing,
    };
  }, []);

  return (
    <Dialog open onClose={onClose} fullScreen={isPhone} fullWidth maxWidth="sm" aria-labelledby="peek-title">
      <Head>
        <h2 id="peek-title">{t("peekTitle", { name: ticket.contact.name })}</h2>
        <IconButton label={t("close")} onClick={onClose}>
          <X />
        </IconButton>
      </Head>
      <Body>
        <Conversation ticket={ticket} canWrite={false} isPeek verbs={verbs} />
      </Body>
      <MessageDialogs
        photo={photo}
        onPhotoClose={() => setPhoto(undefined)}
        edited={edited}
        onEditedClose={() => setEdited(undefined)}
      />
    </Dialog>
  );
}

const Head = styled("header")({
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  gap: 8,
  padding: "10px 10px 10px 20px",
  borderBottom: `1px solid ${color.line}`,
  "& h2": { minWidth: 0, fontSize: 15, fontWeight: 600, overflowWrap: "anywhere" },
});
const Body = styled("div")({ display: "flex", height: "70vh", minHeight: 0 });

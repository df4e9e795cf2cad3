import { Dialog } from "#web/ui/Dialog.tsx";
import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import type { Ticket } from "@prosa/contract/tickets";
import { useId, useMemo, useState } from "react";
import { Conversation, conversationMessages, MessageDialogs } from "#web/features/messages/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useRoom } from "#web/lib/realtime/socket.ts";
import { DialogHead } from "#web/ui/InfoDialog.tsx";
import { media } from "#web/ui/theme.ts";

/** An admin reads a pending ticket without accepting it and without read receipts (T-07). */
export function PeekDialog(props: {
  readonly ticket: Ticket;
  readonly onClose: () => void;
  readonly onFailed: (error: unknown) => void;
}) {
  const { ticket, onClose } = props;
  const t = useMessages(conversationMessages);
  const titleId = useId();
  const [photo, setPhoto] = useState<Message>();
  const [edited, setEdited] = useState<Message>();
  useRoom("joinChatBox", ticket.id);
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
    <Dialog onClose={onClose} aria-labelledby={titleId}>
      <DialogHead title={t("peekTitle", { name: ticket.contact.name })} titleId={titleId} onClose={onClose} />
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

const Body = styled("div")({
  display: "flex",
  height: "70vh",
  minHeight: 0,
  [media.phone]: { flex: 1, height: "auto" },
});

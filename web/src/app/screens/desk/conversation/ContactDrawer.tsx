import { styled } from "#web/ui/styled.ts";
import type { Contact } from "@prosa/contract/contacts";
import type { Ticket } from "@prosa/contract/tickets";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { MessageCirclePlus, Pencil, X } from "lucide-react";
import { memo } from "react";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { navigate } from "#web/lib/routing/location.ts";
import { ContactDialog, ContactExtraInfo, contactOptions, contactsRealtime } from "#web/features/contacts/index.ts";
import { TicketNotes } from "#web/features/notes/index.ts";
import { TicketProducts } from "#web/features/products/index.ts";
import { ContactOptOut, optOutsRealtime } from "#web/features/sending/index.ts";
import { TicketTags } from "#web/features/tags/index.ts";
import { changeTickets } from "#web/features/tickets/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Chip } from "#web/ui/Chip.tsx";
import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";
import { EditLink } from "#web/ui/DrawerSection.tsx";
import { Drawer } from "#web/ui/dialogs/Dialog.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ErrorState } from "#web/ui/states.tsx";
import { color, size } from "#web/ui/theme.ts";
import { deskMessages } from "#web/app/screens/desk/desk.i18n.ts";
import { NewTicketDialog } from "#web/app/screens/desk/NewTicketDialog.tsx";
import { PastEpisodes } from "./PastEpisodes.tsx";

const ChatImportDialog = lateDialog(async () => (await import("#web/features/chat-imports/index.ts")).ChatImportDialog);

registerRealtime(contactsRealtime);
registerRealtime(optOutsRealtime);

/** Contact, tags, products, notes and past episodes of the open ticket; an overlay on screens that are too narrow (C-06). */
export const ContactDrawer = memo(function ContactDrawer(props: {
  readonly ticket: Ticket;
  /** Over the conversation instead of beside it. */
  readonly isOverlay: boolean;
  readonly onClose: () => void;
}) {
  const { ticket, isOverlay, onClose } = props;
  const t = useMessages(deskMessages);
  const queryClient = useQueryClient();
  const query = useQuery(contactOptions(ticket.contactId));
  const [edited, setEdited] = useStateOf<Contact | undefined>(ticket.id, undefined);
  const [isNewTicketOpen, setNewTicketOpen] = useStateOf(ticket.id, false);
  const [isHistoryOpen, setHistoryOpen] = useStateOf(ticket.id, false);
  const user = useUser();
  const contact = query.data;

  // Optimistic: the event brings the same change later.
  const applyToCache = (change: Partial<Ticket>) =>
    changeTickets(
      queryClient,
      ({ id }) => id === ticket.id,
      (known) => ({ ...known, ...change }),
    );
  const edit = contact && !contact.isGroup ? () => setEdited(contact) : undefined;

  const content = (
    <>
      <Content>
        <Corner>
          {edit && (
            <IconButton label={t("newTitle")} onClick={() => setNewTicketOpen(true)}>
              <MessageCirclePlus />
            </IconButton>
          )}
          {edit && (
            <IconButton label={t("edit")} onClick={edit}>
              <Pencil />
            </IconButton>
          )}
          <IconButton label={t("close")} onClick={onClose}>
            <X />
          </IconButton>
        </Corner>
        <ContactSummary contact={contact ?? ticket.contact} isBlocked={contact?.isBlocked ?? false} />
        <TicketTags ticketId={ticket.id} tags={ticket.tags} onChanged={(tags) => applyToCache({ tags: [...tags] })} />
        <TicketProducts
          ticketId={ticket.id}
          products={ticket.products}
          onChanged={(products) => applyToCache({ products: [...products] })}
        />
        {contact && <ContactExtraInfo contact={contact} onEdit={edit} />}
        {contact && !contact.isGroup && <ContactOptOut contactId={contact.id} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        <TicketNotes key={ticket.id} ticketId={ticket.id} contactId={ticket.contactId} />
        <PastEpisodes
          ticket={ticket}
          action={
            contact &&
            isAdmin(user) &&
            !user.support && (
              <EditLink type="button" onClick={() => setHistoryOpen(true)}>
                {t("importChat")}
              </EditLink>
            )
          }
        />
      </Content>
      {contact && isHistoryOpen && <ChatImportDialog contact={contact} onClose={() => setHistoryOpen(false)} />}
      {edited && <ContactDialog contact={edited} onClose={() => setEdited(undefined)} />}
      {isNewTicketOpen && (
        <NewTicketDialog
          contact={ticket.contact}
          onOpen={({ uuid }) => navigate(`/tickets/${uuid}`)}
          onClose={() => setNewTicketOpen(false)}
        />
      )}
    </>
  );
  return isOverlay ? (
    <Drawer label={t("contact")} side="right" onClose={onClose}>
      {content}
    </Drawer>
  ) : (
    <Aside aria-label={t("contact")}>{content}</Aside>
  );
});

function ContactSummary({
  contact,
  isBlocked,
}: {
  readonly contact: Pick<Contact, "name" | "number" | "email" | "isGroup" | "profilePicUrl">;
  readonly isBlocked: boolean;
}) {
  const t = useMessages(deskMessages);
  const name = contact.name || contact.number;
  return (
    <Head>
      <Avatar name={name} image={contact.profilePicUrl} size={72} />
      <h2>{name}</h2>
      <p>{[contact.isGroup ? t("group") : phoneText(contact.number), contact.email].filter(Boolean).join(" · ")}</p>
      {isBlocked && <Chip>{t("blocked")}</Chip>}
    </Head>
  );
}

const Aside = styled("aside")({
  flex: "none",
  minHeight: 0,
  overflowY: "auto",
  borderLeft: `1px solid ${color.line}`,
  backgroundColor: color.panel,
});
const Content = styled("div")({ width: size.contactDrawer, maxWidth: "100vw" });
/** Above the picture: three buttons for fingers would lie on it. */
const Corner = styled("div")({ display: "flex", justifyContent: "flex-end", padding: "8px 8px 0" });
const Head = styled("header")({
  display: "flex",
  flexDirection: "column",
  alignItems: "center",
  gap: 4,
  padding: "0 16px 16px",
  textAlign: "center",
  "& h2": { marginTop: 6, maxWidth: "100%", fontSize: 16, fontWeight: 600, overflowWrap: "anywhere" },
  "& p": { maxWidth: "100%", fontSize: 13, color: color.ink2, overflowWrap: "anywhere" },
});

import type { ContactSummary } from "@prosa/contract/contacts";
import { useState } from "react";
import { navigate } from "#web/lib/routing/location.ts";
import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";
import type { MenuGroup } from "../menu.ts";

const Palette = lateDialog(async () => (await import("./Palette.tsx")).Palette);
const NewTicketDialog = lateDialog(
  async () => (await import("#web/app/screens/desk/NewTicketDialog.tsx")).NewTicketDialog,
);

/** Ctrl K: the palette, and the dialog that a chosen contact opens: a conversation with them. */
export function PaletteFrame(props: {
  readonly groups: readonly MenuGroup[];
  readonly isOpen: boolean;
  readonly onHelp: () => void;
  readonly onClose: () => void;
}) {
  const [contact, setContact] = useState<ContactSummary>();
  return (
    <>
      {props.isOpen && (
        <Palette
          groups={props.groups}
          onHelp={props.onHelp}
          onContact={setContact}
          onPerson={({ id }) => navigate(`/chats?with=${id}`)}
          onClose={props.onClose}
        />
      )}
      {contact && (
        <NewTicketDialog
          // of another contact, a form of its own: what was discarded is not in it
          key={contact.id}
          contact={contact}
          onOpen={({ uuid }) => navigate(`/tickets/${uuid}`)}
          onClose={() => setContact(undefined)}
        />
      )}
    </>
  );
}

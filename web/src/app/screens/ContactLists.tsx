import type { ContactList } from "@prosa/contract/contact-lists";
import { BookUser, List } from "lucide-react";
import {
  ContactListDialog,
  contactListsMessages,
  contactListsRealtime,
  contactListsResource,
  ExampleButton,
} from "#web/features/contact-lists/index.ts";
import { navigate } from "#web/lib/routing/location.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import type { Column } from "#web/ui/ListScreen.tsx";
import { RecordList } from "#web/ui/RecordList.tsx";

registerRealtime(contactListsRealtime);

const addressOf = ({ id }: ContactList) => `/contact-lists/${id}/contacts`;

/** /contact-lists: who gets campaigns, in lists (K-01). A click on a list opens its contacts. */
export function ContactLists() {
  const t = useMessages(contactListsMessages);
  const open = (list: ContactList) => navigate(addressOf(list));
  const label = ({ name }: ContactList) => t("openContacts", { name });
  return (
    <RecordList
      resource={contactListsResource}
      texts={contactListsMessages}
      icon={<List />}
      columns={useColumns()}
      nameOf={({ name }) => name}
      deleteCount={({ contactsCount }) => contactsCount}
      opens={{ onOpen: open, label }}
      rowActions={(list) => (
        <>
          <ExampleButton />
          <IconButton label={label(list)} onClick={() => open(list)}>
            <BookUser />
          </IconButton>
        </>
      )}
      form={(list, onClose) => <ContactListDialog list={list} onClose={onClose} />}
    />
  );
}

function useColumns(): Column<ContactList>[] {
  const t = useMessages(contactListsMessages);
  const format = useFormat();
  return [
    { key: "name", title: t("name"), width: "minmax(140px, 2fr)", cell: ({ name }) => name },
    {
      key: "contacts",
      title: t("contacts"),
      width: "110px",
      align: "right",
      cell: ({ contactsCount }) => format.number(contactsCount),
    },
    {
      key: "valid",
      title: t("valid"),
      width: "120px",
      align: "right",
      cell: ({ validCount }) => format.number(validCount),
    },
    {
      key: "check",
      title: t("check"),
      width: "150px",
      isWideOnly: true,
      cell: ({ contactsCount, validCount, invalidCount }) => {
        const open = contactsCount - validCount - invalidCount;
        return contactsCount === 0 ? "–" : open === 0 ? t("allChecked") : t("notChecked", { count: open });
      },
    },
  ];
}

import type { Contact } from "@prosa/contract/contacts";
import {
  Ban,
  BookUser,
  Combine,
  Download,
  Eraser,
  FileDown,
  EllipsisVertical,
  FileSpreadsheet,
  MessageCircle,
  Pencil,
  Plus,
  Smartphone,
  Trash2,
  Upload,
} from "lucide-react";
import { useRef, useState } from "react";
import { navigate } from "#web/lib/routing/location.ts";
import {
  ContactDialog,
  contactListMessages,
  contactListRealtime,
  contactsRealtime,
  contactsResource,
  ContactImportPanel,
  MergeDialog,
  MergeNotice,
  useBlock,
  useContactImport,
  useExport,
  useFileImport,
  usePhoneImport,
  type FileImport,
} from "#web/features/contacts/index.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useSearch } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { isAdmin, useCan } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { Button } from "#web/ui/Button.tsx";
import { Chip } from "#web/ui/Chip.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { ActionMenu, type MenuAction } from "#web/ui/Menu.tsx";
import { Person } from "#web/ui/Person.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { toast } from "#web/ui/Toast.tsx";
import { NewTicketDialog } from "./desk/NewTicketDialog.tsx";

registerRealtime(contactListRealtime);
registerRealtime(contactsRealtime);

type Opened =
  | { readonly kind: "form"; readonly contact: Contact | undefined }
  | { readonly kind: "ticket" | "merge" | "erase" | "export" | "history"; readonly contact: Contact };

const ExportDialog = lateDialog(async () => (await import("#web/features/privacy/index.ts")).ExportDialog);
const ChatImportDialog = lateDialog(async () => (await import("#web/features/chat-imports/index.ts")).ChatImportDialog);
const EraseDialog = lateDialog(async () => (await import("#web/features/privacy/index.ts")).EraseDialog);

/** /contacts: the contacts of the company (C-01). */
export function Contacts() {
  const t = useMessages(contactListMessages);
  const search = useSearch();
  const list = contactsResource.useList({ searchParam: search.asked });
  const [opened, setOpened] = useState<Opened>();
  const fileImport = useFileImport(useContactImport());
  const close = () => setOpened(undefined);
  const edit = (contact?: Contact) => setOpened({ kind: "form", contact });
  const add = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => edit()}>
      {t("add")}
    </Button>
  );

  return (
    <Page>
      <div>
        <MergeNotice />
        <ContactImportPanel fileImport={fileImport} />
      </div>
      <ListScreen
        title={t("title")}
        {...list}
        columns={useColumns()}
        search={{ ...search, placeholder: t("search") }}
        rowActions={(contact) => <RowActions contact={contact} onOpened={setOpened} />}
        onOpen={edit}
        canOpen={canEdit}
        openLabel={({ name }) => t("editNamed", { name })}
        action={add}
        moreActions={<ImportExport fileImport={fileImport} />}
        empty={<EmptyState icon={<BookUser />} title={t("empty")} text={t("emptyText")} action={add} />}
      />
      {opened?.kind === "form" && <ContactDialog contact={opened.contact} onClose={close} />}
      {opened?.kind === "export" && <ExportDialog contact={opened.contact} onClose={close} />}
      {opened?.kind === "history" && <ChatImportDialog contact={opened.contact} onClose={close} />}
      {opened?.kind === "erase" && <EraseDialog contact={opened.contact} onClose={close} />}
      {opened?.kind === "merge" && <MergeDialog contact={opened.contact} onClose={close} />}
      {opened?.kind === "ticket" && (
        <NewTicketDialog contact={opened.contact} onOpen={({ uuid }) => navigate(`/tickets/${uuid}`)} onClose={close} />
      )}
    </Page>
  );
}

/** WhatsApp names a group, and its number is WhatsApp's id of it. */
function canEdit({ isGroup }: Contact): boolean {
  return !isGroup;
}

function useColumns(): Column<Contact>[] {
  const t = useMessages(contactListMessages);
  const format = useFormat();
  return [
    {
      key: "name",
      title: t("name"),
      width: "minmax(180px, 1.6fr)",
      cell: (contact) => (
        <Person name={contact.name} image={contact.profilePicUrl}>
          {contact.isGroup && <Chip>{t("group")}</Chip>}
          {contact.isBlocked && <Chip>{t("blocked")}</Chip>}
        </Person>
      ),
    },
    {
      key: "number",
      title: t("number"),
      width: "150px",
      cell: ({ number, isGroup }) => (isGroup ? "–" : phoneText(number)),
    },
    {
      key: "email",
      title: t("email"),
      width: "minmax(120px, 1.2fr)",
      isWideOnly: true,
      cell: ({ email }) => email || "–",
    },
    {
      key: "since",
      title: t("since"),
      width: "96px",
      isWideOnly: true,
      cell: ({ createdAt }) => format.date(createdAt),
    },
  ];
}

/** Import and export of contacts. */
function ImportExport({ fileImport }: { readonly fileImport: FileImport }) {
  const t = useMessages(contactListMessages);
  const input = useRef<HTMLInputElement>(null);
  const phoneImport = usePhoneImport();
  const exporting = useExport();

  const askPhone = () =>
    void confirm({
      title: t("importPhoneTitle"),
      text: t("importPhoneText"),
      verb: t("importVerb"),
      run: () => phoneImport.mutateAsync(),
    });

  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.xls,.xlsx,.vcf,text/csv,text/vcard"
        aria-label={t("importFile")}
        onChange={({ target }) => {
          const file = target.files?.[0];
          // so that choosing the same file again fires a change
          target.value = "";
          if (file) {
            void fileImport.open(file);
          }
        }}
      />
      <ActionMenu
        opener={(opener) => (
          <IconButton label={t("import")} {...opener}>
            <Upload />
          </IconButton>
        )}
        actions={[
          { key: "file", label: t("importFile"), icon: <FileSpreadsheet />, onSelect: () => input.current?.click() },
          { key: "phone", label: t("importPhone"), icon: <Smartphone />, onSelect: askPhone },
        ]}
      />
      <IconButton
        label={t("export")}
        disabled={exporting.isPending}
        onClick={() =>
          exporting.mutate(undefined, {
            onSuccess: () => toast.success(t("exported")),
            onError: (error) => toast.failure(error),
          })
        }
      >
        <Download />
      </IconButton>
    </>
  );
}

function RowActions({ contact, onOpened }: { readonly contact: Contact; readonly onOpened: (opened: Opened) => void }) {
  const t = useMessages(contactListMessages);
  const mayDelete = useCan("contacts-page:deleteContact");
  const mayErase = isAdmin(useUser());
  const remove = contactsResource.useRemove();
  const block = useBlock();
  const { id, name, isBlocked, isGroup } = contact;

  // Awaited, not by callbacks of `mutate`: when it is undone, the row may be gone from the screen.
  const setBlocked = async (blocked: boolean, isUndo = false) => {
    try {
      await block.mutateAsync({ id, blocked });
      toast.success(
        t(blocked ? "wasBlocked" : "wasUnblocked", { name }),
        isUndo ? undefined : { label: t("undo"), run: () => void setBlocked(!blocked, true) },
      );
    } catch (error) {
      toast.failure(error);
    }
  };
  const askDelete = () =>
    void confirm({
      title: t("deleteTitle", { name }),
      text: t("deleteText"),
      verb: t("delete"),
      isDangerous: true,
      run: () => remove.mutateAsync(id),
    }).then((isDone) => isDone && toast.success(t("deleted")));

  const more: MenuAction[] = [
    {
      key: "block",
      label: t(isBlocked ? "unblock" : "block"),
      icon: <Ban />,
      onSelect: () => void setBlocked(!isBlocked),
    },
    ...(mayDelete && !isGroup
      ? [{ key: "merge", label: t("merge"), icon: <Combine />, onSelect: () => onOpened({ kind: "merge", contact }) }]
      : []),
    ...(mayErase
      ? [
          {
            key: "history",
            label: t("importChat"),
            icon: <Upload />,
            onSelect: () => onOpened({ kind: "history", contact }),
          },
          {
            key: "exportData",
            label: t("exportData"),
            icon: <FileDown />,
            onSelect: () => onOpened({ kind: "export", contact }),
          },
          {
            key: "erase",
            label: t("erase"),
            icon: <Eraser />,
            isDangerous: true as const,
            onSelect: () => onOpened({ kind: "erase", contact }),
          },
        ]
      : []),
    ...(mayDelete
      ? [{ key: "delete", label: t("delete"), icon: <Trash2 />, isDangerous: true, onSelect: askDelete }]
      : []),
  ];
  return (
    <>
      <IconButton label={t("open")} onClick={() => onOpened({ kind: "ticket", contact })}>
        <MessageCircle />
      </IconButton>
      {canEdit(contact) && (
        <IconButton label={t("edit")} onClick={() => onOpened({ kind: "form", contact })}>
          <Pencil />
        </IconButton>
      )}
      <ActionMenu
        opener={(opener) => (
          <IconButton label={t("more")} {...opener}>
            <EllipsisVertical />
          </IconButton>
        )}
        actions={more}
      />
    </>
  );
}

const Page = styled("div")({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  gridTemplateRows: "auto minmax(0, 1fr)",
  height: "100%",
});

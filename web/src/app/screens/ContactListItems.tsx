import type { ContactList, ContactListItem } from "@prosa/contract/contact-lists";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, BookUser, EllipsisVertical, Plus, RefreshCw, ShieldCheck, Upload, UserPlus } from "lucide-react";
import { useState } from "react";
import {
  CheckPanel,
  contactListItemsResource,
  contactListOptions,
  contactListsMessages,
  contactListsRealtime,
  FillDialog,
  ImportDialog,
  ItemDialog,
  listImportOptions,
  useCancelListImport,
  useCheckNumbers,
  useListImport,
  useRefusedRows,
  ValidIcon,
} from "#web/features/contact-lists/index.ts";
import { ImportPanel, useFileImport } from "#web/features/contacts/index.ts";
import { useMedia, useSearch } from "#web/lib/browser/hooks.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { navigate } from "#web/lib/routing/location.ts";
import { useParams } from "#web/lib/routing/router.tsx";
import { useCan } from "#web/lib/session/permissions.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { Button } from "#web/ui/Button.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { ActionMenu } from "#web/ui/Menu.tsx";
import { RecordActions } from "#web/ui/RecordActions.tsx";
import { EmptyState, ErrorState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { media } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";

registerRealtime(contactListsRealtime);

/** /contact-lists/:contactListId/contacts: the contacts of a list (K-02). */
export function ContactListItems() {
  const id = Number(useParams()["contactListId"]);
  const query = useQuery(contactListOptions(id));
  if (query.error && !query.data) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  return query.data ? <Contacts key={id} list={query.data} /> : null;
}

type Opened =
  { readonly kind: "import" | "fill" } | { readonly kind: "item"; readonly item: ContactListItem | undefined };

function Contacts({ list }: { readonly list: ContactList }) {
  const t = useMessages(contactListsMessages);
  const search = useSearch();
  const rows = contactListItemsResource.useList({ contactListId: list.id, searchParam: search.asked });
  const [opened, setOpened] = useState<Opened>();
  const fileImport = useFileImport(useListImport(list.id));
  const current = useQuery(listImportOptions(list.id)).data;
  const cancel = useCancelListImport(list.id);
  const refused = useRefusedRows(list.id);
  const close = () => setOpened(undefined);
  const edit = (item?: ContactListItem) => setOpened({ kind: "item", item });
  const add = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => edit()}>
      {t("addItem")}
    </Button>
  );

  return (
    <Page>
      <div>
        <ImportPanel
          {...{ fileImport, current, cancel, kind: `list ${list.id}` }}
          onSaveRefused={() => refused.mutate(undefined, { onError: (error) => toast.failure(error) })}
        />
        <CheckPanel list={list} />
      </div>
      <ListScreen
        title={list.name}
        {...rows}
        count={list.contactsCount}
        columns={useColumns()}
        search={{ ...search, placeholder: t("searchItems") }}
        rowActions={(item) => <RowActions item={item} onEdit={() => edit(item)} />}
        onOpen={edit}
        openLabel={({ name }) => t("editItem", { name })}
        action={add}
        moreActions={<ListActions list={list} onOpened={setOpened} />}
        empty={
          <EmptyState
            icon={<BookUser />}
            title={t("emptyItems")}
            text={t("emptyItemsText")}
            action={
              <Button kind="primary" icon={<Upload size={16} />} onClick={() => setOpened({ kind: "import" })}>
                {t("import")}
              </Button>
            }
          />
        }
      />
      {opened?.kind === "item" && <ItemDialog contactListId={list.id} item={opened.item} onClose={close} />}
      {opened?.kind === "import" && <ImportDialog onChoose={(file) => void fileImport.open(file)} onClose={close} />}
      {opened?.kind === "fill" && <FillDialog contactListId={list.id} onClose={close} />}
    </Page>
  );
}

function useColumns(): Column<ContactListItem>[] {
  const t = useMessages(contactListsMessages);
  const isPhone = useMedia(media.phone);
  const valid: Column<ContactListItem> = {
    key: "valid",
    title: t("whatsapp"),
    width: "92px",
    cell: ({ isWhatsappValid }) => <ValidIcon isValid={isWhatsappValid} />,
  };
  const name: Column<ContactListItem> = {
    key: "name",
    title: t("name"),
    width: "minmax(140px, 1.5fr)",
    cell: (item) => item.name,
  };
  return [
    // The first one is the head of a phone's card.
    ...(isPhone ? [name, valid] : [valid, name]),
    { key: "number", title: t("number"), width: "170px", cell: ({ number }) => phoneText(number) },
    { key: "email", title: t("email"), width: "minmax(120px, 1.2fr)", cell: ({ email }) => email || "–" },
  ];
}

/** What is done with the list as a whole: back, import, and the rest in a menu. */
function ListActions({ list, onOpened }: { readonly list: ContactList; readonly onOpened: (opened: Opened) => void }) {
  const t = useMessages(contactListsMessages);
  const check = useCheckNumbers(list.id);
  const isUnderWay = list.checkState === "running" || list.checkState === "waiting";
  const checked = list.validCount + list.invalidCount;
  const start = (again: boolean) => check.mutate(again, { onError: (error) => toast.failure(error) });
  const askAgain = () =>
    void confirm({
      title: t("checkAgainTitle"),
      text: t("checkAgainText"),
      verb: t("checkVerb"),
      run: () => check.mutateAsync(true),
    });
  return (
    <>
      <IconButton label={t("back")} onClick={() => navigate("/contact-lists")}>
        <ArrowLeft />
      </IconButton>
      <IconButton label={t("import")} onClick={() => onOpened({ kind: "import" })}>
        <Upload />
      </IconButton>
      <ActionMenu
        opener={(opener) => (
          <IconButton label={t("more")} {...opener}>
            <EllipsisVertical />
          </IconButton>
        )}
        actions={[
          { key: "fill", label: t("fill"), icon: <UserPlus />, onSelect: () => onOpened({ kind: "fill" }) },
          {
            key: "check",
            label: t("checkNow"),
            icon: <ShieldCheck />,
            disabled: isUnderWay || checked === list.contactsCount,
            onSelect: () => start(false),
          },
          {
            key: "again",
            label: t("checkAgain"),
            icon: <RefreshCw />,
            disabled: isUnderWay || checked === 0,
            onSelect: askAgain,
          },
        ]}
      />
    </>
  );
}

function RowActions({ item, onEdit }: { readonly item: ContactListItem; readonly onEdit: () => void }) {
  const t = useMessages(contactListsMessages);
  const { id, name } = item;
  return (
    <RecordActions
      id={id}
      editLabel={t("editItem", { name })}
      onEdit={onEdit}
      isKept={!useCan("contacts-page:deleteContact")}
      deleteTitle={t("deleteItemTitle", { name })}
      deleteText={t("deleteItemText")}
      deletedText={t("itemDeleted")}
      remove={contactListItemsResource.useRemove()}
    />
  );
}

const Page = styled("div")({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  gridTemplateRows: "auto minmax(0, 1fr)",
  height: "100%",
});

import type { Announcement } from "@prosa/contract/announcements";
import { Newspaper, Paperclip, Plus } from "lucide-react";
import { useState } from "react";
import {
  administrationMessages,
  AnnouncementDialog,
  announcementsResource,
  Priority,
  priorityWord,
} from "#web/features/announcements/index.ts";
import { useSearch } from "#web/lib/hooks.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { recordMessages } from "#web/lib/records.i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { RecordActions } from "#web/ui/RecordActions.tsx";
import { EmptyState } from "#web/ui/states.tsx";

/** /announcements, the operator's: what all companies are told (O-05). */
export function Announcements() {
  const t = useMessages(administrationMessages);
  const record = useMessages(recordMessages);
  const search = useSearch();
  const list = announcementsResource.useList({ searchParam: search.asked });
  const remove = announcementsResource.useRemove();
  const [form, setForm] = useState<{ readonly announcement: Announcement | undefined }>();
  const add = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setForm({ announcement: undefined })}>
      {t("add")}
    </Button>
  );

  return (
    <>
      <ListScreen
        title={t("title")}
        {...list}
        errorTitle={record("loadFailed")}
        columns={useColumns()}
        search={{ ...search, placeholder: t("search") }}
        onOpen={(announcement) => setForm({ announcement })}
        openLabel={({ title }) => t("edit", { title })}
        rowActions={(announcement) => (
          <RecordActions
            id={announcement.id}
            editLabel={t("edit", { title: announcement.title })}
            onEdit={() => setForm({ announcement })}
            deleteText={t("deleteText", { title: announcement.title })}
            remove={remove}
          />
        )}
        action={add}
        empty={<EmptyState icon={<Newspaper />} title={t("empty")} text={t("emptyText")} action={add} />}
      />
      {form && <AnnouncementDialog announcement={form.announcement} onClose={() => setForm(undefined)} />}
    </>
  );
}

function useColumns(): Column<Announcement>[] {
  const t = useMessages(administrationMessages);
  return [
    { key: "title", title: t("titleField"), width: "minmax(160px, 3fr)", cell: ({ title }) => title },
    {
      key: "priority",
      title: t("priority"),
      width: "110px",
      cell: ({ priority }) => <Priority priority={priority} word={t(priorityWord[priority])} />,
    },
    {
      key: "attachment",
      title: t("attachment"),
      width: "minmax(120px, 1fr)",
      cell: ({ mediaName }) =>
        mediaName === null ? (
          "–"
        ) : (
          <span title={mediaName}>
            <Paperclip aria-hidden size={13} /> {mediaName}
          </span>
        ),
    },
    { key: "status", title: t("status"), width: "90px", cell: ({ status }) => t(status ? "active" : "inactive") },
  ];
}

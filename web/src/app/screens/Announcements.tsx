import type { Announcement } from "@prosa/contract/announcements";
import { Newspaper, Paperclip } from "lucide-react";
import {
  administrationMessages,
  AnnouncementDialog,
  announcementsResource,
  Priority,
  priorityTextKey,
} from "#web/features/announcements/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import type { Column } from "#web/ui/ListScreen.tsx";
import { RecordList } from "#web/ui/RecordList.tsx";

/** /announcements, the operator's: notices to all companies (O-05). */
export function Announcements() {
  return (
    <RecordList
      resource={announcementsResource}
      texts={administrationMessages}
      icon={<Newspaper />}
      columns={useColumns()}
      nameOf={({ title }) => title}
      form={(announcement, onClose) => <AnnouncementDialog announcement={announcement} onClose={onClose} />}
    />
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
      cell: ({ priority }) => <Priority priority={priority} word={t(priorityTextKey[priority])} />,
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

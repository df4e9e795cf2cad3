import type { FileList } from "@prosa/contract/files";
import { Files } from "lucide-react";
import { FileListDialog, fileListMessages, fileListsRealtime, fileListsResource } from "#web/features/files/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import type { Column } from "#web/ui/ListScreen.tsx";
import { RecordList } from "#web/ui/RecordList.tsx";

registerRealtime(fileListsRealtime);

/** /files: messages with files that options of the bot and campaigns send (O-07). */
export function FileLists() {
  return (
    <RecordList
      resource={fileListsResource}
      texts={fileListMessages}
      icon={<Files />}
      columns={useColumns()}
      nameOf={({ name }) => name}
      form={(list, onClose) => <FileListDialog list={list} onClose={onClose} />}
    />
  );
}

function useColumns(): Column<FileList>[] {
  const t = useMessages(fileListMessages);
  return [
    { key: "name", title: t("name"), width: "minmax(140px, 1.5fr)", cell: ({ name }) => name },
    { key: "message", title: t("message"), width: "minmax(0, 2fr)", isWideOnly: true, cell: ({ message }) => message },
    {
      key: "files",
      title: t("files"),
      width: "130px",
      cell: ({ options }) => t("fileCount", { count: options.filter(({ path }) => path !== null).length }),
    },
  ];
}

import type { Help } from "@prosa/contract/helps";
import { LifeBuoy } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import type { Column } from "#web/ui/ListScreen.tsx";
import { RecordList } from "#web/ui/RecordList.tsx";
import { HelpDialog } from "./HelpDialog.tsx";
import { helpsResource } from "./helps.api.ts";
import { helpMessages } from "./helps.i18n.ts";

/** Settings → Help, the operator's: the videos of the page /helps (Y-03). */
export function HelpsTab() {
  return (
    <RecordList
      isPart
      resource={helpsResource}
      texts={helpMessages}
      icon={<LifeBuoy />}
      columns={useColumns()}
      nameOf={({ title }) => title}
      form={(help, onClose) => <HelpDialog help={help} onClose={onClose} />}
    />
  );
}

function useColumns(): Column<Help>[] {
  const t = useMessages(helpMessages);
  return [
    { key: "title", title: t("titleField"), width: "minmax(160px, 1fr)", cell: ({ title }) => title },
    { key: "description", title: t("description"), width: "minmax(0, 2fr)", cell: (help) => help.description || "–" },
    { key: "video", title: t("video"), width: "132px", cell: ({ video }) => video },
  ];
}

import { Search } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { EmptyState } from "#web/ui/states.tsx";
import { emptyListMessages } from "./empty-list.i18n.ts";
import type { useDeskList } from "./useDeskList.ts";

/** Says what a list without rows means; under a filter of queues, that others may have some. */
export function EmptyList({ desk }: { readonly desk: ReturnType<typeof useDeskList> }) {
  const t = useMessages(emptyListMessages);
  if (desk.isSearchEmpty) {
    return <EmptyState icon={<Search />} title={t("hint")} text={t("hintText")} />;
  }
  const kind = desk.tab === "open" ? desk.openTab : desk.tab;
  if (desk.queueIds.length > 0) {
    return <EmptyState title={t(kind === "search" ? "search" : "filtered")} text={t("filteredText")} />;
  }
  return <EmptyState title={t(kind)} text={t(`${kind}Text`)} />;
}

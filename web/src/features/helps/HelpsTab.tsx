import type { Help } from "@prosa/contract/helps";
import { LifeBuoy, Plus } from "lucide-react";
import { useState } from "react";
import { useMessages } from "#web/lib/i18n.ts";
import { recordMessages } from "#web/lib/records.i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { RecordActions } from "#web/ui/RecordActions.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { HelpDialog } from "./HelpDialog.tsx";
import { useHelps, useRemoveHelp } from "./helps.api.ts";
import { helpMessages } from "./helps.i18n.ts";

/** Settings → Help, the operator's: the videos of the page /helps (Y-03). */
export function HelpsTab() {
  const t = useMessages(helpMessages);
  const record = useMessages(recordMessages);
  const remove = useRemoveHelp();
  const query = useHelps();
  const [form, setForm] = useState<{ readonly help: Help | undefined }>();
  const add = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setForm({ help: undefined })}>
      {t("add")}
    </Button>
  );
  return (
    <>
      <ListScreen
        isPart
        title={t("title")}
        count={query.data?.length}
        columns={useColumns()}
        rows={query.data ?? []}
        isLoading={query.isPending}
        error={query.error}
        errorTitle={record("loadFailed")}
        onRetry={() => void query.refetch()}
        onOpen={(help) => setForm({ help })}
        openLabel={({ title }) => t("edit", { title })}
        rowActions={(help) => (
          <RecordActions
            id={help.id}
            editLabel={t("edit", { title: help.title })}
            onEdit={() => setForm({ help })}
            deleteText={t("deleteText", { title: help.title })}
            remove={remove}
          />
        )}
        action={add}
        empty={<EmptyState icon={<LifeBuoy />} title={t("empty")} text={t("emptyText")} action={add} />}
      />
      {form && <HelpDialog help={form.help} onClose={() => setForm(undefined)} />}
    </>
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

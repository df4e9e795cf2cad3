import type { Help } from "@prosa/contract/helps";
import { LifeBuoy, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLanguage, useMessages } from "#web/lib/i18n.ts";
import { deleteFailure, recordMessages } from "#web/lib/records.i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { confirm } from "#web/ui/Confirm.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { HelpDialog } from "./HelpDialog.tsx";
import { useHelps, useRemoveHelp } from "./helps.api.ts";
import { helpMessages } from "./helps.i18n.ts";

/** Settings → Help, the operator's: the videos of the page /helps (Y-03). */
export function HelpsTab() {
  const t = useMessages(helpMessages);
  const record = useMessages(recordMessages);
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
        rowActions={(help) => <RowActions help={help} onEdit={() => setForm({ help })} />}
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

function RowActions({ help, onEdit }: { readonly help: Help; readonly onEdit: () => void }) {
  const t = useMessages(helpMessages);
  const record = useMessages(recordMessages);
  const language = useLanguage();
  const remove = useRemoveHelp();
  const ask = async () => {
    const isMeant = await confirm({
      title: record("deleteTitle"),
      text: t("deleteText", { title: help.title }),
      verb: record("deleteVerb"),
      isDangerous: true,
    });
    if (isMeant) {
      remove.mutate(help.id, {
        onSuccess: () => toast.success(record("done")),
        onError: (error) => toast.error(deleteFailure(record("deleteFailed"), error, language)),
      });
    }
  };
  return (
    <>
      <IconButton label={t("edit", { title: help.title })} onClick={onEdit}>
        <Pencil />
      </IconButton>
      <IconButton label={record("deleteVerb")} onClick={() => void ask()}>
        <Trash2 />
      </IconButton>
    </>
  );
}

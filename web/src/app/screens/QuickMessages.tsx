import type { QuickMessage } from "@prosa/contract/quick-messages";
import { Paperclip, Pencil, Plus, Trash2, Zap } from "lucide-react";
import { useState } from "react";
import {
  QuickMessageDialog,
  quickMessageMessages,
  quickMessagesRealtime,
  quickMessagesResource,
} from "#web/features/quick-messages/index.ts";
import { useSearch } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { toast } from "#web/ui/Toast.tsx";
import { color } from "#web/ui/theme.ts";

registerRealtime(quickMessagesRealtime);

/** /quick-messages: reusable replies (O-01). */
export function QuickMessages() {
  const t = useMessages(quickMessageMessages);
  const user = useUser();
  const search = useSearch();
  const list = quickMessagesResource.useList({ searchParam: search.asked });
  const [form, setForm] = useState<{ readonly quickMessage: QuickMessage | undefined }>();
  const mayChange = (row: QuickMessage) => isAdmin(user) || row.userId === user.id;
  const edit = (quickMessage?: QuickMessage) => setForm({ quickMessage });
  const add = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => edit()}>
      {t("add")}
    </Button>
  );

  return (
    <>
      <ListScreen
        title={t("title")}
        {...list}
        columns={useColumns()}
        search={{ ...search, placeholder: t("search") }}
        rowActions={(row) => mayChange(row) && <RowActions row={row} onEdit={() => edit(row)} />}
        onOpen={(row) => mayChange(row) && edit(row)}
        openLabel={({ shortcode }) => t("edit", { name: shortcode })}
        action={add}
        empty={<EmptyState icon={<Zap />} title={t("empty")} text={t("emptyText")} action={add} />}
      />
      {form && <QuickMessageDialog quickMessage={form.quickMessage} onClose={() => setForm(undefined)} />}
    </>
  );
}

function useColumns(): Column<QuickMessage>[] {
  const t = useMessages(quickMessageMessages);
  return [
    {
      key: "shortcode",
      title: t("shortcode"),
      width: "minmax(100px, 1fr)",
      cell: (row) => <b>/{row.shortcode}</b>,
    },
    { key: "message", title: t("message"), width: "minmax(160px, 3fr)", cell: (row) => <Text>{row.message}</Text> },
    {
      key: "media",
      title: t("media"),
      width: "minmax(90px, 1fr)",
      isWideOnly: true,
      cell: (row) =>
        row.mediaName ? (
          <>
            <Paperclip aria-hidden size={13} /> {row.mediaName}
          </>
        ) : (
          "–"
        ),
    },
    {
      key: "sharing",
      title: t("sharing"),
      width: "110px",
      cell: (row) => t(row.geral ? "geral" : "personal"),
    },
    { key: "status", title: t("status"), width: "90px", cell: (row) => t(row.status ? "active" : "inactive") },
  ];
}

function RowActions({ row, onEdit }: { readonly row: QuickMessage; readonly onEdit: () => void }) {
  const t = useMessages(quickMessageMessages);
  const remove = quickMessagesResource.useRemove();
  const name = row.shortcode;
  const ask = () =>
    void confirm({
      title: t("removeTitle", { name }),
      text: t("removeText"),
      verb: t("removeVerb"),
      isDangerous: true,
      run: () => remove.mutateAsync(row.id),
    }).then((isDone) => isDone && toast.success(t("removed")));

  return (
    <>
      <IconButton label={t("edit", { name })} onClick={onEdit}>
        <Pencil />
      </IconButton>
      <IconButton label={t("remove", { name })} onClick={ask}>
        <Trash2 />
      </IconButton>
    </>
  );
}

const Text = styled("span")({ color: color.ink2 });

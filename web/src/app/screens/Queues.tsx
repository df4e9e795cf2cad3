import type { Queue } from "@prosa/contract/queues";
import { Bot, Layers, Plus } from "lucide-react";
import { useState } from "react";
import { QueueDialog, queueMessages, queuesRealtime, useQueues, useRemoveQueue } from "#web/features/queues/index.ts";
import { settingsRealtime } from "#web/features/settings/index.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { registerRealtime } from "#web/lib/realtime.ts";
import { Button } from "#web/ui/Button.tsx";
import { ColorDot } from "#web/ui/Chip.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { RecordActions } from "#web/ui/RecordActions.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { AssistantChoice } from "./AssistantChoice.tsx";
import { BotMenuDialog } from "./BotMenuDialog.tsx";

registerRealtime(queuesRealtime);
registerRealtime(settingsRealtime);

/** /queues: the company's departments, their data, and the menu that the bot leads through. */
export function Queues() {
  const t = useMessages(queueMessages);
  const query = useQueues();
  const remove = useRemoveQueue();
  const [form, setForm] = useState<{ readonly queue: Queue | undefined }>();
  const [menuOf, setMenuOf] = useState<number>();
  const rows = query.data ?? [];
  // the row of now, not of when the dialog opened: its name may change meanwhile
  const withMenu = rows.find(({ id }) => id === menuOf);
  const add = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setForm({ queue: undefined })}>
      {t("add")}
    </Button>
  );

  return (
    <>
      <ListScreen
        title={t("title")}
        count={query.data?.length}
        columns={useColumns()}
        rows={rows}
        isLoading={query.isPending}
        error={query.error}
        onRetry={() => void query.refetch()}
        onOpen={(queue) => setForm({ queue })}
        openLabel={({ name }) => t("edit", { name })}
        rowActions={(queue) => (
          <RecordActions
            id={queue.id}
            editLabel={t("edit", { name: queue.name })}
            onEdit={() => setForm({ queue })}
            deleteTitle={t("deleteTitle", { name: queue.name })}
            deleteText={t("deleteText")}
            deletedText={t("deleted")}
            remove={remove}
          >
            <IconButton label={t("botMenu")} onClick={() => setMenuOf(queue.id)}>
              <Bot />
            </IconButton>
          </RecordActions>
        )}
        action={add}
        empty={<EmptyState icon={<Layers />} title={t("empty")} text={t("emptyText")} action={add} />}
      />
      {form && (
        <QueueDialog
          queue={form.queue}
          onClose={() => setForm(undefined)}
          onSaved={(saved) => form.queue === undefined && setMenuOf(saved.id)}
          assistants={(chosen) => <AssistantChoice {...chosen} />}
        />
      )}
      {withMenu && <BotMenuDialog queue={withMenu} onClose={() => setMenuOf(undefined)} />}
    </>
  );
}

function useColumns(): Column<Queue>[] {
  const t = useMessages(queueMessages);
  return [
    {
      key: "name",
      title: t("name"),
      width: "minmax(140px, 1fr)",
      cell: ({ name, color }) => (
        <Name>
          <ColorDot tint={color} size={12} />
          <span>{name}</span>
        </Name>
      ),
    },
    {
      key: "greeting",
      title: t("greetingMessage"),
      width: "minmax(0, 2fr)",
      cell: (row) => row.greetingMessage || "–",
    },
    { key: "order", title: t("order"), width: "72px", align: "right", cell: (row) => row.orderQueue },
  ];
}

const Name = styled("span")({
  display: "flex",
  alignItems: "center",
  gap: 10,
  minWidth: 0,
  "& > span:last-of-type": { minWidth: 0, overflow: "hidden", textOverflow: "ellipsis" },
});

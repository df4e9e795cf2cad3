import type { Queue } from "@prosa/contract/queues";
import { Bot, Layers } from "lucide-react";
import { useState } from "react";
import { fileListsRealtime } from "#web/features/files/index.ts";
import { countKeptByQueue } from "#web/features/privacy/index.ts";
import { QueueDialog, queueMessages, queuesRealtime, queuesResource, useQueues } from "#web/features/queues/index.ts";
import { settingsRealtime } from "#web/features/settings/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { ColorDot } from "#web/ui/Chip.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import type { Column } from "#web/ui/ListScreen.tsx";
import { RecordList } from "#web/ui/RecordList.tsx";
import { styled } from "#web/ui/styled.ts";
import { AssistantChoice } from "./AssistantChoice.tsx";
import { BotMenuDialog } from "./BotMenuDialog.tsx";

registerRealtime(fileListsRealtime);
registerRealtime(queuesRealtime);
registerRealtime(settingsRealtime);

/** /queues: the company's departments, their data, and the menu that the bot leads through. */
export function Queues() {
  const t = useMessages(queueMessages);
  const { data: queues = [] } = useQueues();
  const [menuOf, setMenuOf] = useState<number>();
  // from the list, not kept with the dialog: the queue may be renamed meanwhile
  const withMenu = queues.find(({ id }) => id === menuOf);
  return (
    <>
      <RecordList
        resource={queuesResource}
        texts={queueMessages}
        icon={<Layers />}
        columns={useColumns()}
        nameOf={({ name }) => name}
        deleteTextOf={useDeleteText()}
        rowActions={({ id }) => (
          <IconButton label={t("botMenu")} onClick={() => setMenuOf(id)}>
            <Bot />
          </IconButton>
        )}
        form={(queue, onClose) => (
          <QueueDialog
            queue={queue}
            onClose={onClose}
            onSaved={(saved) => queue === undefined && setMenuOf(saved.id)}
            assistants={(chosen) => <AssistantChoice {...chosen} />}
          />
        )}
      />
      {withMenu && <BotMenuDialog queue={withMenu} onClose={() => setMenuOf(undefined)} />}
    </>
  );
}

/** What a queue with days of its own keeps goes by the company's once it is deleted (V-02): how much is told before. */
function useDeleteText() {
  const t = useMessages(queueMessages);
  return ({ id, retentionDays }: Queue) =>
    retentionDays === null
      ? t("deleteText")
      : async () => {
          const count = await countKeptByQueue(id);
          const erases = count === 0 ? [] : [t("deleteErases", { count })];
          return [t("deleteText"), t("deleteKeeps", { count: retentionDays }), ...erases].join(" ");
        };
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

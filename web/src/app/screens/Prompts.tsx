import type { Prompt } from "@prosa/contract/prompts";
import { Bot } from "lucide-react";
import { PromptDialog, promptMessages, promptsRealtime, promptsResource } from "#web/features/prompts/index.ts";
import { queuesRealtime } from "#web/features/queues/index.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { ColorDot } from "#web/ui/Chip.tsx";
import type { Column } from "#web/ui/ListScreen.tsx";
import { RecordList } from "#web/ui/RecordList.tsx";
import { styled } from "#web/ui/styled.ts";

registerRealtime(promptsRealtime);
registerRealtime(queuesRealtime);

/** /prompts: the company's AI assistants and their instructions (O-08). */
export function Prompts() {
  return (
    <RecordList
      resource={promptsResource}
      texts={promptMessages}
      icon={<Bot />}
      columns={useColumns()}
      nameOf={({ name }) => name}
      form={(prompt, onClose) => <PromptDialog prompt={prompt} onClose={onClose} />}
    />
  );
}

function useColumns(): Column<Prompt>[] {
  const t = useMessages(promptMessages);
  const format = useFormat();
  return [
    { key: "name", title: t("name"), width: "minmax(140px, 2fr)", cell: ({ name }) => name },
    {
      key: "queue",
      title: t("queue"),
      width: "minmax(120px, 1fr)",
      cell: ({ queue }) =>
        queue ? (
          <Queue title={queue.name}>
            <ColorDot tint={queue.color} />
            <span>{queue.name}</span>
          </Queue>
        ) : (
          t("noQueue")
        ),
    },
    {
      key: "maxTokens",
      title: t("maxTokens"),
      width: "120px",
      align: "right",
      cell: ({ maxTokens }) => format.number(maxTokens),
    },
  ];
}

const Queue = styled("span")({
  display: "inline-flex",
  alignItems: "center",
  gap: 8,
  minWidth: 0,
  maxWidth: "100%",
  "& > span:last-of-type": { minWidth: 0, overflow: "hidden", textOverflow: "ellipsis" },
});

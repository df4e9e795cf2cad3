import type { Prompt } from "@prosa/contract/prompts";
import { Bot, Plus } from "lucide-react";
import { useState } from "react";
import {
  PromptDialog,
  promptMessages,
  promptsRealtime,
  usePrompts,
  useRemovePrompt,
} from "#web/features/prompts/index.ts";
import { queuesRealtime } from "#web/features/queues/index.ts";
import { useFormat } from "#web/lib/format.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { registerRealtime } from "#web/lib/realtime.ts";
import { Button } from "#web/ui/Button.tsx";
import { ColorDot } from "#web/ui/Chip.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { RecordActions } from "#web/ui/RecordActions.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";

registerRealtime(promptsRealtime);
registerRealtime(queuesRealtime);

/** /prompts: what the company's AI assistants are told (O-08). */
export function Prompts() {
  const t = useMessages(promptMessages);
  const query = usePrompts();
  const remove = useRemovePrompt();
  const [form, setForm] = useState<{ readonly prompt: Prompt | undefined }>();
  const add = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setForm({ prompt: undefined })}>
      {t("add")}
    </Button>
  );
  return (
    <>
      <ListScreen
        title={t("title")}
        count={query.data?.length}
        columns={useColumns()}
        rows={query.data ?? []}
        isLoading={query.isPending}
        error={query.error}
        onRetry={() => void query.refetch()}
        onOpen={(prompt) => setForm({ prompt })}
        openLabel={({ name }) => t("edit", { name })}
        rowActions={(prompt) => (
          <RecordActions
            id={prompt.id}
            editLabel={t("edit", { name: prompt.name })}
            onEdit={() => setForm({ prompt })}
            deleteTitle={t("deleteTitle", { name: prompt.name })}
            deleteText={t("deleteText")}
            deletedText={t("deleted")}
            remove={remove}
          />
        )}
        action={add}
        empty={<EmptyState icon={<Bot />} title={t("empty")} text={t("emptyText")} action={add} />}
      />
      {form && <PromptDialog prompt={form.prompt} onClose={() => setForm(undefined)} />}
    </>
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

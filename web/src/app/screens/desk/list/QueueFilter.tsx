import { ListFilter } from "lucide-react";
import { memo } from "react";
import { ticketMessages } from "#web/features/tickets/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { LabelPicker } from "#web/ui/fields/LabelPicker.tsx";
import { useQueueChoices } from "./queue-choice.ts";

/** Filters the list by queue; an empty choice means all queues. */
export const QueueFilter = memo(function QueueFilter(props: {
  readonly chosen: readonly number[];
  readonly onChange: (ids: readonly number[]) => void;
}) {
  const t = useMessages(ticketMessages);
  const choices = [...(useQueueChoices() ?? []), { id: 0, name: t("noQueue") }];
  const toggle = (id: number) =>
    props.onChange(props.chosen.includes(id) ? props.chosen.filter((other) => other !== id) : [...props.chosen, id]);

  return (
    <LabelPicker
      label={t("queueFilter")}
      labels={choices}
      chosen={props.chosen}
      onToggle={toggle}
      onClear={() => props.onChange([])}
      opener={(opener) => (
        <IconButton
          size="small"
          label={props.chosen.length === 0 ? t("allQueues") : t("someQueues", { count: props.chosen.length })}
          isOn={props.chosen.length > 0}
          {...opener}
        >
          <ListFilter />
        </IconButton>
      )}
    />
  );
});

import type { QueueOption } from "@prosa/contract/queue-options";
import { useMessages } from "#web/lib/text/i18n.ts";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { possibleParents } from "./option-tree.ts";
import { useSaveOption } from "./queues.api.ts";
import { queueMessages } from "./queues.i18n.ts";

/** Moves an option with its descendants to another parent, without a mouse and across a long tree. */
export function MoveDialog(props: {
  readonly option: QueueOption;
  readonly options: readonly QueueOption[];
  readonly onClose: () => void;
  readonly onMoved: (parentId: number | null) => void;
}) {
  const { option, options } = props;
  const t = useMessages(queueMessages);
  const save = useSaveOption(option.queueId);
  return (
    <FormDialog<{ parent: string }>
      title={t("moveTitle", { title: option.title })}
      values={{ parent: String(option.parentId ?? "") }}
      verb={t("moveVerb")}
      width="xs"
      onClose={props.onClose}
      onSave={async ({ parent }) => {
        const parentId = parent === "" ? null : Number(parent);
        await save.mutateAsync({ id: option.id, body: { parentId, position: 1_000 } });
        props.onMoved(parentId);
      }}
    >
      {(form) => (
        <SelectField label={t("moveParent")} {...form.register("parent")}>
          <option value="">{t("firstLevel")}</option>
          {possibleParents(options, option.id).map((row) => (
            <option key={row.option.id} value={row.option.id}>
              {`${"\u2003".repeat(row.depth - 1)}${row.option.title}`}
            </option>
          ))}
        </SelectField>
      )}
    </FormDialog>
  );
}

import type { TagRecord } from "@prosa/contract/tags";
import { useCan } from "#web/lib/session/permissions.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Chip } from "#web/ui/Chip.tsx";
import { ColorField } from "#web/ui/fields/ColorField.tsx";
import { SwitchField, TextField } from "#web/ui/fields/Field.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { freeColor } from "#web/ui/palette.ts";
import { tagListMessages } from "./tag-list.i18n.ts";
import { tagsResource } from "./tags.api.ts";

interface Values {
  readonly name: string;
  readonly color: string;
  readonly isLane: boolean;
}

/** Adds or changes a tag: name, colour, and whether it is a lane of the kanban (O-04). */
export function TagDialog(props: {
  readonly tag: TagRecord | undefined;
  /** A new tag gets another one. */
  readonly usedColors: readonly string[];
  readonly onClose: () => void;
}) {
  const { tag } = props;
  const t = useMessages(tagListMessages);
  const mayChangeLanes = useCan("tags:editKanban");
  const save = tagsResource.useSave();
  return (
    <FormDialog<Values>
      title={tag ? t("edit", { name: tag.name }) : t("add")}
      values={{
        name: tag?.name ?? "",
        color: tag?.color ?? freeColor(props.usedColors),
        isLane: tag?.kanban === 1,
      }}
      schema={() => import("#schemas/tags").then((module) => module.tagBody)}
      fieldOfError={{ ERR_NAME_TAKEN: "name" }}
      savedText={t("saved")}
      onClose={props.onClose}
      onSave={(whole, changed) => {
        const kanbanOf = (isLane: boolean) => ({ kanban: isLane ? (1 as const) : (0 as const) });
        if (!tag) {
          const { isLane, ...body } = whole;
          return save.mutateAsync({ body: { ...body, ...kanbanOf(isLane) } });
        }
        const { isLane, ...body } = changed;
        return save.mutateAsync({ id: tag.id, body: { ...body, ...(isLane !== undefined && kanbanOf(isLane)) } });
      }}
    >
      {(form, errorOf) => {
        const tint = form.watch("color");
        return (
          <>
            <TextField label={t("name")} maxLength={50} error={errorOf("name")} {...form.register("name")} />
            <ColorField
              value={tint}
              onChange={(value) => form.setValue("color", value, { shouldDirty: true, shouldValidate: true })}
              sample={<Chip tint={tint}>{form.watch("name").trim() || t("name")}</Chip>}
              error={errorOf("color")}
            />
            <SwitchField
              label={t("kanbanField")}
              hint={t(mayChangeLanes ? "kanbanHint" : "kanbanLocked")}
              checked={form.watch("isLane")}
              disabled={!mayChangeLanes}
              onChange={({ target }) => form.setValue("isLane", target.checked, { shouldDirty: true })}
            />
          </>
        );
      }}
    </FormDialog>
  );
}

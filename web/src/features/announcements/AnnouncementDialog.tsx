import type { Announcement, AnnouncementPriority } from "@prosa/contract/announcements";
import { useRef } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { recordMessages } from "#web/lib/records/records.i18n.ts";
import { SwitchField, TextArea, TextField } from "#web/ui/fields/Field.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { announcementsResource, useAnnouncementImage } from "./announcements.api.ts";
import { administrationMessages } from "./announcements.i18n.ts";
import { ImageField, type ChosenImage } from "./ImageField.tsx";
import { priorityTextKey } from "./Priority.tsx";

interface Values {
  readonly title: string;
  readonly text: string;
  readonly priority: AnnouncementPriority;
  readonly status: boolean;
  readonly image: ChosenImage | null;
}

const priorities = [1, 2, 3] as const satisfies readonly AnnouncementPriority[];

/** Adds or edits an announcement with its image (O-05). */
export function AnnouncementDialog(props: {
  readonly announcement: Announcement | undefined;
  readonly onClose: () => void;
}) {
  const { announcement } = props;
  const t = useMessages(administrationMessages);
  const record = useMessages(recordMessages);
  const save = announcementsResource.useSave();
  const saveImage = useAnnouncementImage();
  // If the upload fails after the announcement was created, the next save updates it.
  const savedId = useRef(announcement?.id);

  return (
    <FormDialog<Values>
      title={announcement ? t("edit", { name: announcement.title }) : t("add")}
      values={{
        title: announcement?.title ?? "",
        text: announcement?.text ?? "",
        priority: announcement?.priority ?? 3,
        status: announcement?.status ?? true,
        image: announcement?.mediaPath ? { name: announcement.mediaName ?? "", address: announcement.mediaPath } : null,
      }}
      schema={() => import("#schemas/announcements").then((module) => module.announcementBody)}
      savedText={record("done")}
      onClose={props.onClose}
      onSave={async ({ image, ...whole }, { image: changedImage, ...changed }) => {
        const { id } = await save.mutateAsync({ id: savedId.current, body: announcement ? changed : whole });
        savedId.current = id;
        if (image instanceof File || changedImage === null) {
          await saveImage.mutateAsync({ id, file: image instanceof File ? image : null });
        }
      }}
    >
      {(form, errorOf) => (
        <>
          <TextField label={t("titleField")} maxLength={150} error={errorOf("title")} {...form.register("title")} />
          <TextArea
            label={t("text")}
            hint={t("textHint")}
            maxLength={5_000}
            style={{ minHeight: 120 }}
            error={errorOf("text")}
            {...form.register("text")}
          />
          <SelectField
            label={t("priority")}
            error={errorOf("priority")}
            {...form.register("priority", { valueAsNumber: true })}
          >
            {priorities.map((priority) => (
              <option key={priority} value={priority}>
                {t(priorityTextKey[priority])}
              </option>
            ))}
          </SelectField>
          <ImageField
            image={form.watch("image")}
            onChange={(image) => form.setValue("image", image, { shouldDirty: true })}
          />
          <SwitchField label={t("statusLabel")} {...form.register("status")} />
        </>
      )}
    </FormDialog>
  );
}

import type { FileList } from "@prosa/contract/files";
import { useRef, useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { TextField } from "#web/ui/fields/Field.tsx";
import { VariableTextField } from "#web/ui/fields/VariableTextField.tsx";
import { ProgressBar } from "#web/ui/states.tsx";
import { FileOptions } from "./FileOptions.tsx";
import { useSaveFileList, type ListValues, type OptionValues } from "./files.api.ts";
import { fileListMessages } from "./files.i18n.ts";

/** Adds or changes a file list: its message, and its files with their captions in the order in which they are sent (O-07). */
export function FileListDialog(props: { readonly list: FileList | undefined; readonly onClose: () => void }) {
  const { list } = props;
  const t = useMessages(fileListMessages);
  const save = useSaveFileList();
  const [uploaded, setUploaded] = useState<number>();
  // If an upload fails after the list was saved, the next save changes all of that list and its options.
  const savedId = useRef<number>(undefined);
  const savedOptions = useRef(new Map<string, number>());
  const sentKeys = useRef(new Set<string>());
  // Of the list as the form shows it: `list` follows what colleagues change.
  const [openedWith] = useState(() => (list?.options ?? []).map(({ id }) => id));

  return (
    <FormDialog<ListValues>
      title={list ? t("edit", { name: list.name }) : t("add")}
      values={{ name: list?.name ?? "", message: list?.message ?? "", options: (list?.options ?? []).map(valuesOf) }}
      schema={() => import("#schemas/files").then((module) => module.fileListBody)}
      savedText={t("saved")}
      onClose={props.onClose}
      onSave={async ({ options: given, ...whole }, changed) => {
        const id = savedId.current ?? list?.id;
        const options = given.map((option) => ({ ...option, id: option.id ?? savedOptions.current.get(option.key) }));
        const all = { ...whole, options };
        options.filter((option) => option.id === undefined).forEach(({ key }) => sentKeys.current.add(key));
        const isNewOrRetried = id === savedId.current;
        try {
          await save.mutateAsync({
            id,
            whole: all,
            changed: isNewOrRetried ? all : { ...changed, ...(changed.options && { options }) },
            known: {
              knownOptionIds: [...openedWith, ...savedOptions.current.values()],
              knownClientIds: [...sentKeys.current],
            },
            onProgress: setUploaded,
            onSaved: (saved) => {
              savedId.current = saved.id;
              // Behind those of the form come the ones that a colleague has added meanwhile.
              saved.options
                .slice(0, options.length)
                .forEach(({ id: optionId }, index) => savedOptions.current.set(options[index]?.key ?? "", optionId));
            },
          });
        } finally {
          setUploaded(undefined);
        }
      }}
    >
      {(form, errorOf) => (
        <>
          <TextField
            label={t("name")}
            maxLength={100}
            autoComplete="off"
            error={errorOf("name")}
            {...form.register("name")}
          />
          <VariableTextField
            label={t("message")}
            hint={t("messageHint")}
            rows={3}
            text={form.watch("message")}
            error={errorOf("message")}
            {...form.register("message")}
          />
          <FileOptions
            options={form.watch("options")}
            onChange={(options) => form.setValue("options", options, { shouldDirty: true })}
          />
          {uploaded !== undefined && <ProgressBar label={t("uploading")} value={uploaded} />}
        </>
      )}
    </FormDialog>
  );
}

function valuesOf({ id, name, path, mediaName }: FileList["options"][number]): OptionValues {
  return {
    ...{ key: String(id), id, name, file: null },
    stored: path === null ? null : { name: mediaName ?? "", url: path },
  };
}

import { styled } from "#web/ui/styled.ts";
import type { QueueOption } from "@prosa/contract/queue-options";
import { FileText, Paperclip, X } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { TextField } from "#web/ui/fields/Field.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ProgressBar } from "#web/ui/states.tsx";
import { VariableTextField } from "#web/ui/fields/VariableTextField.tsx";
import { color } from "#web/ui/theme.ts";
import { useSaveOption } from "./queues.api.ts";
import { queueMessages } from "./queues.i18n.ts";

interface Values {
  readonly queueId: number;
  readonly title: string;
  readonly option: string;
  readonly message: string;
  readonly fileListId: number | null;
  /** A new file, the name of the stored one, or null for none. */
  readonly file: File | { readonly name: string } | null;
}

/** Selects the file list of an option; the screen provides it. */
export type FileListChoice = (value: number | null, onChange: (id: number | null) => void) => ReactNode;

/** Adds an option below a parent (null is the first level), or edits one: title, answer, message, file, file list (Q-02, O-07). */
export function OptionDialog(props: {
  readonly queueId: number;
  readonly option: QueueOption | undefined;
  readonly parentId: number | null;
  readonly onClose: () => void;
  /** Called after each change that was stored, also if the file's upload failed after it. */
  readonly onSaved: () => void;
  readonly fileLists: FileListChoice;
}) {
  const { queueId, option: existing, parentId } = props;
  const t = useMessages(queueMessages);
  const save = useSaveOption(queueId);
  // If the upload fails after the option was created, the next save updates that option.
  const savedId = useRef(existing?.id);
  const [uploaded, setUploaded] = useState<number>();

  return (
    <FormDialog<Values>
      title={t(existing ? "editOption" : "addOption")}
      values={{
        queueId,
        title: existing?.title ?? "",
        option: existing?.option ?? "",
        message: existing?.message ?? "",
        fileListId: existing?.fileListId ?? null,
        file: existing?.mediaName ? { name: existing.mediaName } : null,
      }}
      schema={() => import("#schemas/queue-options").then((module) => module.queueOptionBody)}
      savedText={t("optionSaved")}
      onClose={props.onClose}
      onSave={async ({ file, ...whole }, changed) => {
        const id = savedId.current;
        // The answer of an option that was renumbered meanwhile is another one now.
        const { title, option, message, fileListId } = existing ? changed : whole;
        const fields = { title, option, message, fileListId, ...(id === undefined && { parentId }) };
        try {
          const saved = await save.mutateAsync({ id, body: fields });
          savedId.current = saved.id;
          props.onSaved();
          if (file instanceof File || (changed.file === null && saved.mediaPath !== null)) {
            const body = {};
            await save.mutateAsync({
              id: saved.id,
              body,
              file: file instanceof File ? file : null,
              onProgress: setUploaded,
            });
          }
        } finally {
          setUploaded(undefined);
        }
      }}
    >
      {(form, errorOf) => (
        <>
          <Names>
            <TextField
              label={t("optionTitle")}
              hint={t("optionTitleHint")}
              maxLength={100}
              error={errorOf("title")}
              {...form.register("title")}
            />
            <TextField
              label={t("optionAnswer")}
              hint={t("optionAnswerHint")}
              isOptional
              maxLength={20}
              autoComplete="off"
              error={errorOf("option")}
              {...form.register("option")}
            />
          </Names>
          <VariableTextField
            label={t("optionMessage")}
            hint={t("optionMessageHint")}
            isOptional
            rows={4}
            text={form.watch("message")}
            error={errorOf("message")}
            {...form.register("message")}
          />
          <FileField
            file={form.watch("file")}
            onChange={(file) => form.setValue("file", file, { shouldDirty: true })}
          />
          {props.fileLists(form.watch("fileListId"), (id) => form.setValue("fileListId", id, { shouldDirty: true }))}
          {uploaded !== undefined && <ProgressBar label={t("file")} value={uploaded} />}
        </>
      )}
    </FormDialog>
  );
}

function FileField(props: { readonly file: Values["file"]; readonly onChange: (file: File | null) => void }) {
  const { file, onChange } = props;
  const t = useMessages(queueMessages);
  const picker = useRef<HTMLInputElement>(null);
  return (
    <Attachment>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={t("chooseFile")}
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          target.value = "";
          if (chosen) {
            onChange(chosen);
          }
        }}
      />
      {file && (
        <span title={file.name}>
          <FileText aria-hidden size={16} />
          <b>{file.name}</b>
          <IconButton label={t("removeFile")} size="small" onClick={() => onChange(null)}>
            <X />
          </IconButton>
        </span>
      )}
      <Button icon={<Paperclip size={15} />} onClick={() => picker.current?.click()}>
        {t(file ? "replaceFile" : "chooseFile")}
      </Button>
      {!file && <small>{t("fileHint")}</small>}
    </Attachment>
  );
}

const Names = styled("div")({
  display: "grid",
  gridTemplateColumns: "repeat(auto-fit, minmax(min(180px, 100%), 1fr))",
  gap: 16,
});
const Attachment = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: 10,
  "& > span": {
    display: "flex",
    alignItems: "center",
    gap: 6,
    minWidth: 0,
    maxWidth: "100%",
    padding: "2px 2px 2px 10px",
    border: `1px solid ${color.line}`,
    borderRadius: 8,
  },
  "& b": { minWidth: 0, fontWeight: 500, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& small": { fontSize: 12, color: color.ink2 },
});

import type { QuickMessage } from "@prosa/contract/quick-messages";
import { FileText, Paperclip, X } from "lucide-react";
import { useRef } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { SwitchField, TextField } from "#web/ui/fields/Field.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { VariableTextField } from "#web/ui/fields/VariableTextField.tsx";
import { quickMessagesResource, useQuickMessageFile } from "./quick-messages.api.ts";
import { quickMessageMessages } from "./quick-messages.i18n.ts";

interface Values {
  readonly shortcode: string;
  readonly message: string;
  readonly geral: boolean;
  readonly status: boolean;
  /** A new file; only a name when the stored file is kept; null for none. */
  readonly file: File | { readonly name: string } | null;
}

/** Creates or changes a quick message: text with emoji and variables, a file, shared or own (O-01). */
export function QuickMessageDialog(props: {
  readonly quickMessage: QuickMessage | undefined;
  readonly onClose: () => void;
}) {
  const { quickMessage: known } = props;
  const t = useMessages(quickMessageMessages);
  const save = quickMessagesResource.useSave();
  const saveFile = useQuickMessageFile();
  const picker = useRef<HTMLInputElement>(null);
  // After a rejected file the quick message exists: the next save updates it.
  const createdId = useRef(known?.id);

  return (
    <FormDialog<Values>
      title={t(known ? "editTitle" : "addTitle")}
      values={{
        shortcode: known?.shortcode ?? "",
        message: known?.message ?? "",
        geral: known?.geral ?? false,
        status: known?.status ?? true,
        file: known?.mediaName ? { name: known.mediaName } : null,
      }}
      schema={() => import("#schemas/quick-messages").then((module) => module.quickMessageBody)}
      onSave={async ({ file, ...whole }, { file: changedFile, ...changed }) => {
        const body = known ? changed : whole;
        const shortcode = body.shortcode?.trim().replace(/^\//, "");
        const { id } = await save.mutateAsync({
          id: createdId.current,
          body: { ...body, ...(shortcode !== undefined && { shortcode }) },
        });
        createdId.current = id;
        if (file instanceof File || changedFile === null) {
          await saveFile.mutateAsync({ id, file: file instanceof File ? file : null });
        }
      }}
      savedText={t("saved")}
      onClose={props.onClose}
    >
      {(form, errorOf) => {
        const file = form.watch("file");
        return (
          <>
            <TextField
              label={t("shortcode")}
              hint={t("shortcodeHint")}
              autoComplete="off"
              maxLength={41}
              {...form.register("shortcode")}
              error={errorOf("shortcode")}
            />
            <div>
              <VariableTextField
                label={t("message")}
                style={{ minHeight: 96 }}
                text={form.watch("message")}
                {...form.register("message")}
                error={errorOf("message")}
              />
              <Tools>
                <input
                  ref={picker}
                  type="file"
                  hidden
                  aria-label={t("attach")}
                  data-testid="quick-message-file"
                  onChange={({ target }) => {
                    form.setValue("file", target.files?.[0] ?? null, { shouldDirty: true });
                    target.value = "";
                  }}
                />
                <Button icon={<Paperclip size={15} />} onClick={() => picker.current?.click()}>
                  {t("attach")}
                </Button>
              </Tools>
              {file && (
                <Attached>
                  <FileText aria-hidden size={18} />
                  <span title={file.name}>{file.name}</span>
                  <IconButton
                    size="small"
                    label={t("takeOff", { name: file.name })}
                    onClick={() => form.setValue("file", null, { shouldDirty: true })}
                  >
                    <X />
                  </IconButton>
                </Attached>
              )}
            </div>
            <SwitchField label={t("geralLabel")} {...form.register("geral")} />
            <SwitchField label={t("statusLabel")} {...form.register("status")} />
          </>
        );
      }}
    </FormDialog>
  );
}

const Tools = styled("div")({ display: "flex", alignItems: "center", marginTop: 8 });
const Attached = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  marginTop: 6,
  padding: "4px 4px 4px 10px",
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  fontSize: 13,
  "& > span": { flex: 1, minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
});

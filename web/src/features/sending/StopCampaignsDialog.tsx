import { optOutNoteMax } from "@prosa/contract/sending";
import { useMessages } from "#web/lib/text/i18n.ts";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { TextArea } from "#web/ui/fields/Field.tsx";
import { useSetOptOut } from "./sending.api.ts";
import { sendingMessages } from "./sending.i18n.ts";

/** Takes a contact off the campaigns at their wish, with a note of how they told it (P-02). */
export function StopCampaignsDialog(props: { readonly contactId: number; readonly onClose: () => void }) {
  const t = useMessages(sendingMessages);
  const set = useSetOptOut(props.contactId);
  return (
    <FormDialog<{ note: string }>
      title={t("setTitle")}
      width="xs"
      values={{ note: "" }}
      verb={t("setVerb")}
      savedText={t("wasSet")}
      onSave={({ note }) => set.mutateAsync(note)}
      onClose={props.onClose}
    >
      {(form, errorOf) => (
        <>
          <p>{t("setText")}</p>
          <TextArea
            label={t("setNote")}
            hint={t("setNoteHint")}
            isOptional
            rows={2}
            maxLength={optOutNoteMax}
            {...form.register("note")}
            error={errorOf("note")}
          />
        </>
      )}
    </FormDialog>
  );
}

import { useMessages } from "#web/lib/text/i18n.ts";
import { readStored, writeStored } from "#web/lib/session/storage.ts";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { TextField } from "#web/ui/fields/Field.tsx";
import { useTestCampaign } from "../campaigns.api.ts";
import { dialogMessages } from "./dialog.i18n.ts";

/** Sends each text once to a number, which this browser remembers. `save` resolves with the campaign that holds what is typed. */
export function TestDialog(props: { readonly save: () => Promise<number>; readonly onClose: () => void }) {
  const t = useMessages(dialogMessages);
  const test = useTestCampaign();
  return (
    <FormDialog<{ number: string }>
      title={t("testTitle")}
      width="xs"
      values={{ number: readStored("prosa.testNumber") ?? "" }}
      verb={t("testVerb")}
      savedText={t("tested")}
      onSave={async ({ number }) => {
        await test.mutateAsync({ id: await props.save(), number: number.replace(/\D/gu, "") });
        writeStored("prosa.testNumber", number);
      }}
      onClose={props.onClose}
    >
      {(form, errorOf) => (
        <>
          <p>{t("testText")}</p>
          <TextField
            label={t("testNumber")}
            hint={t("testNumberHint")}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            {...form.register("number", {
              validate: (text) => text.replace(/\D/gu, "").length >= 10 || t("testNumberHint"),
            })}
            error={errorOf("number")}
          />
        </>
      )}
    </FormDialog>
  );
}

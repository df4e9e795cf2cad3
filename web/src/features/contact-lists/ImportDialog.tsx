import { Upload } from "lucide-react";
import { useRef } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { contactListsMessages } from "./contact-lists.i18n.ts";
import { ExampleLink } from "./ExampleLink.tsx";

/** Confirms an import, and offers the example spreadsheet, before a file is chosen (specification 2 section 2). */
export function ImportDialog(props: { readonly onChoose: (file: File) => void; readonly onClose: () => void }) {
  const t = useMessages(contactListsMessages);
  const picker = useRef<HTMLInputElement>(null);
  return (
    <InfoDialog
      width="xs"
      title={t("importTitle")}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>{t("cancel")}</Button>
          <Button kind="primary" icon={<Upload size={15} />} onClick={() => picker.current?.click()}>
            {t("importVerb")}
          </Button>
        </>
      }
    >
      <p>{t("importText")}</p>
      <div>
        <ExampleLink />
      </div>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".csv,.xls,.xlsx,.vcf,text/csv,text/vcard"
        aria-label={t("importVerb")}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = "";
          if (file) {
            props.onChoose(file);
            props.onClose();
          }
        }}
      />
    </InfoDialog>
  );
}

import type { Contact } from "@prosa/contract/contacts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { TextField } from "#web/ui/fields/Field.tsx";
import { useErase } from "./privacy.api.ts";
import { privacyMessages } from "./privacy.i18n.ts";

interface Values {
  readonly confirmation: string;
}

/** Erases all data of a contact, after its number (or name) was typed (V-02). */
export function EraseDialog({ contact, onClose }: { readonly contact: Contact; readonly onClose: () => void }) {
  const t = useMessages(privacyMessages);
  const erase = useErase();
  const isByName = contact.isGroup || !contact.number;
  const expected = isByName ? contact.name.trim() : contact.number;
  const given = (text: string) => (isByName ? text.trim() : text.replaceAll(/\D/g, ""));
  return (
    <FormDialog<Values>
      title={t("eraseTitle", { name: contact.name })}
      values={{ confirmation: "" }}
      verb={t("erase")}
      savedText={t("erasing")}
      width="xs"
      onSave={({ confirmation }) => erase.mutateAsync({ id: contact.id, confirmation })}
      onClose={onClose}
    >
      {(form, errorOf) => (
        <>
          <p>{t("eraseText")}</p>
          <TextField
            label={isByName ? t("typeName", { text: expected }) : t("typeNumber", { text: phoneText(contact.number) })}
            autoComplete="off"
            inputMode={isByName ? "text" : "tel"}
            error={errorOf("confirmation")}
            {...form.register("confirmation", { validate: (text) => given(text) === expected || t("mismatch") })}
          />
        </>
      )}
    </FormDialog>
  );
}

import type { ContactList } from "@prosa/contract/contact-lists";
import { useMessages } from "#web/lib/text/i18n.ts";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { TextField } from "#web/ui/fields/Field.tsx";
import { contactListsResource } from "./contact-lists.api.ts";
import { contactListsMessages } from "./contact-lists.i18n.ts";

/** Adds or renames a contact list (K-01). */
export function ContactListDialog(props: { readonly list: ContactList | undefined; readonly onClose: () => void }) {
  const { list } = props;
  const t = useMessages(contactListsMessages);
  const save = contactListsResource.useSave();
  return (
    <FormDialog<{ readonly name: string }>
      width="xs"
      title={list ? t("edit", { name: list.name }) : t("add")}
      values={{ name: list?.name ?? "" }}
      schema={() => import("#schemas/contact-lists").then((module) => module.contactListBody)}
      fieldOfError={{ ERR_NAME_TAKEN: "name" }}
      savedText={t("saved")}
      onClose={props.onClose}
      onSave={({ name }) => save.mutateAsync({ id: list?.id, body: { name } })}
    >
      {(form, errorOf) => (
        <TextField
          label={t("name")}
          maxLength={50}
          autoComplete="off"
          error={errorOf("name")}
          {...form.register("name")}
        />
      )}
    </FormDialog>
  );
}

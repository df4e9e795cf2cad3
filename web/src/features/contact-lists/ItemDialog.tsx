import type { ContactListItem } from "@prosa/contract/contact-lists";
import { useMessages } from "#web/lib/text/i18n.ts";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { TextField } from "#web/ui/fields/Field.tsx";
import { contactListItemsResource } from "./contact-lists.api.ts";
import { contactListsMessages } from "./contact-lists.i18n.ts";

interface Values {
  readonly name: string;
  readonly number: string;
  readonly email: string;
}

/** Adds or changes a contact of a list (K-02). */
export function ItemDialog(props: {
  readonly contactListId: number;
  readonly item: ContactListItem | undefined;
  readonly onClose: () => void;
}) {
  const { contactListId, item } = props;
  const t = useMessages(contactListsMessages);
  const save = contactListItemsResource.useSave();
  return (
    <FormDialog<Values>
      width="xs"
      title={item ? t("editItem", { name: item.name }) : t("addItem")}
      values={{ name: item?.name ?? "", number: item?.number ?? "", email: item?.email ?? "" }}
      schema={() => import("#schemas/contact-lists").then((module) => module.contactListItemBody)}
      fieldOfError={{ ERR_DUPLICATED_CONTACT: "number" }}
      savedText={t("itemSaved")}
      onClose={props.onClose}
      onSave={(values, changed) =>
        save.mutateAsync({ id: item?.id, body: item ? changed : { ...values, contactListId } })
      }
    >
      {(form, errorOf) => (
        <>
          <TextField label={t("name")} maxLength={50} error={errorOf("name")} {...form.register("name")} />
          <TextField
            label={t("number")}
            hint={t("numberHint")}
            type="tel"
            maxLength={50}
            error={errorOf("number")}
            {...form.register("number")}
          />
          <TextField
            label={t("email")}
            isOptional
            type="email"
            maxLength={200}
            error={errorOf("email")}
            {...form.register("email")}
          />
        </>
      )}
    </FormDialog>
  );
}

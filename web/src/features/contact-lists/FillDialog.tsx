import { useQuery } from "@tanstack/react-query";
import { tagsOptions } from "#web/features/tags/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { CheckList } from "#web/ui/fields/CheckList.tsx";
import { TextField } from "#web/ui/fields/Field.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { useFillList } from "./contact-lists.api.ts";
import { contactListsMessages } from "./contact-lists.i18n.ts";

interface Values {
  readonly tagIds: number[];
  readonly searchParam: string;
}

/** Adds contacts of the address book to a list: those whose conversations have a tag, those that a search finds. */
export function FillDialog(props: { readonly contactListId: number; readonly onClose: () => void }) {
  const t = useMessages(contactListsMessages);
  const tags = useQuery(tagsOptions).data;
  const fill = useFillList(props.contactListId);
  return (
    <FormDialog<Values>
      title={t("fillTitle")}
      values={{ tagIds: [], searchParam: "" }}
      verb={t("fillVerb")}
      onClose={props.onClose}
      onSave={async (values) => {
        const { added } = await fill.mutateAsync(values);
        toast.success(t("filled", { count: added }));
      }}
    >
      {(form, errorOf) => (
        <>
          <p>{t("fillText")}</p>
          <CheckList
            label={t("tags")}
            note={errorOf("tagIds") ?? t(tags?.length === 0 ? "noTags" : "tagsHint")}
            items={tags ?? []}
            chosen={form.watch("tagIds")}
            onChange={(tagIds) => form.setValue("tagIds", tagIds, { shouldDirty: true })}
          />
          <TextField
            label={t("fillSearch")}
            isOptional
            maxLength={200}
            autoComplete="off"
            {...form.register("searchParam")}
          />
        </>
      )}
    </FormDialog>
  );
}

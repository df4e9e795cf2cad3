import { maxSearchLetters } from "@prosa/contract/common";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { tagsOptions } from "#web/features/tags/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { CheckList } from "#web/ui/fields/CheckList.tsx";
import { TextField } from "#web/ui/fields/Field.tsx";
import { existingOf } from "#web/ui/fields/merged-choice.ts";
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
  /** Was told that all ticked tags were deleted meanwhile: the next press is meant without them. */
  const knowsOfGone = useRef(false);
  return (
    <FormDialog<Values>
      title={t("fillTitle")}
      values={{ tagIds: [], searchParam: "" }}
      verb={t("fillVerb")}
      onClose={props.onClose}
      onSave={async (values) => {
        const tagIds = existingOf(values.tagIds, tags);
        if (values.tagIds.length > 0 && tagIds.length === 0 && !knowsOfGone.current) {
          // Without any tag the search alone says who is added, who may be many more.
          knowsOfGone.current = true;
          toast.error(t("tagsGone"));
          return false;
        }
        const { added } = await fill.mutateAsync({ ...values, tagIds });
        toast.success(t("filled", { count: added }));
        return true;
      }}
    >
      {(form, errorOf) => (
        <>
          <p>{t("fillText")}</p>
          <CheckList
            label={t("tags")}
            note={errorOf("tagIds") ?? t(tags?.length === 0 ? "noTags" : "tagsHint")}
            items={tags ?? []}
            chosen={existingOf(form.watch("tagIds"), tags)}
            onChange={(tagIds) => form.setValue("tagIds", tagIds, { shouldDirty: true })}
          />
          <TextField
            label={t("fillSearch")}
            isOptional
            maxLength={maxSearchLetters}
            autoComplete="off"
            {...form.register("searchParam")}
          />
        </>
      )}
    </FormDialog>
  );
}
